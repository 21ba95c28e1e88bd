import Database from "libsql";

/** A file as the first release wrote it, with two items of the namespace `["memories", "asha"]` indexed by `content`. */
export function createFormat1(path: string): void {
  const database = new Database(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE keepsake_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE keepsake_namespaces (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      documents INTEGER NOT NULL DEFAULT 0,
      total_length INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE keepsake_items (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      namespace INTEGER NOT NULL,
      key TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      expires_at INTEGER,
      version INTEGER NOT NULL,
      index_fields TEXT,
      value TEXT NOT NULL,
      UNIQUE (namespace, key)
    );
    CREATE INDEX keepsake_items_newest ON keepsake_items (namespace, updated_at DESC, key);
    CREATE INDEX keepsake_items_expiring ON keepsake_items (expires_at) WHERE expires_at IS NOT NULL;
    CREATE TABLE keepsake_documents (item INTEGER PRIMARY KEY, length INTEGER NOT NULL, terms TEXT NOT NULL);
    CREATE VIRTUAL TABLE keepsake_terms USING fts5 (
      terms, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '-_./#:@~|'"
    );
    INSERT INTO keepsake_meta (name, value) VALUES ('analyzer', 1);
    INSERT INTO keepsake_namespaces (id, name, documents, total_length) VALUES (1, '"memories","asha",', 2, 500);
    INSERT INTO keepsake_items VALUES (1, 1, 'a', 1000, 1000, NULL, 1, NULL, '{"content":"green tea"}');
    INSERT INTO keepsake_items VALUES (2, 1, 'b', 1000, 1000, NULL, 1, NULL, '{"content":"black tea leaves"}');
    INSERT INTO keepsake_documents VALUES (1, 200, char(10) || 'green 100' || char(10) || 'tea 100' || char(10));
    INSERT INTO keepsake_documents
      VALUES (2, 300, char(10) || 'black 100' || char(10) || 'tea 100' || char(10) || 'leav 100' || char(10));
    INSERT INTO keepsake_terms (rowid, terms) VALUES (1, char(10) || 'green|1|1' || char(10) || 'tea|1|1' || char(10));
    INSERT INTO keepsake_terms (rowid, terms)
      VALUES (2, char(10) || 'black|1|1' || char(10) || 'tea|1|1' || char(10) || 'leav|1|1' || char(10));
    PRAGMA application_id = 0x6b656570;
    PRAGMA user_version = 1;
  `);
  database.close();
}
