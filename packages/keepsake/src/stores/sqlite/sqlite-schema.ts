import { KeepsakeError } from "../../errors/index.ts";
import { analyzerVersion } from "../../search/index.ts";
import { all, exec, first, integer, type Program, run, transaction } from "./sqlite-program.ts";

/** Rises with every change of the tables. */
const schemaVersion = 2;

/** "keep" in ASCII: marks the file as ours. */
const applicationId = 0x6b656570;

/**
 * `keepsake_terms` finds candidates only: one token for each term of an item (see `sqlite-tokens.ts`). The terms come from `search/`, and the
 * `ascii` tokeniser takes every character of them as it is. `keepsake_documents` holds what ranking needs: a line `term frequency` for each term.
 */
const firstTables = `
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
`;

/**
 * What each later version adds, by the version that it is added to. `keepsake_index` has one row: what the index was made by (`dims` null: no vector
 * yet). `keepsake_embeddings` holds each item's vectors (32-bit floats), `keepsake_packs` their short forms, many to a row (see `sqlite-packs.ts`).
 */
const migrations: ReadonlyMap<number, string> = new Map([
  [
    1,
    `
  CREATE TABLE keepsake_index (id INTEGER PRIMARY KEY CHECK (id = 1), fields TEXT, model TEXT, dims INTEGER);
  INSERT INTO keepsake_index (id) VALUES (1);
  CREATE TABLE keepsake_embeddings (
    item INTEGER PRIMARY KEY,
    pack INTEGER NOT NULL,
    hash TEXT NOT NULL,
    vectors BLOB NOT NULL
  );
  CREATE TABLE keepsake_packs (
    id INTEGER PRIMARY KEY,
    namespace INTEGER NOT NULL,
    records INTEGER NOT NULL,
    codes BLOB NOT NULL
  );
  CREATE INDEX keepsake_packs_of ON keepsake_packs (namespace, records);
`,
  ],
]);

/**
 * Checks whose file it is, before anything in it is changed.
 *
 * @throws {KeepsakeError} `unsupported_format`
 */
export function* checkOwner(path: string): Program<void> {
  yield* checkForeign(path);
  const { schema } = yield* versions();
  if (schema > schemaVersion) throw newer(path, `format ${schema}`, `format ${schemaVersion}`);
}

/**
 * The same for what is in the file beside a store, whatever the store's version.
 *
 * @throws {KeepsakeError} `unsupported_format`
 */
export function* checkForeign(path: string): Program<void> {
  const { schema, application } = yield* versions();
  if (application !== applicationId && (application !== 0 || schema !== 0)) throw foreign(path);
}

/** Marks the file as ours. */
export function* markOwner(): Program<void> {
  yield* exec(`PRAGMA application_id = ${applicationId}`);
}

/** Creates the tables, or adds what an older version lacks. True where the index was made by an older analyser and must be made again. */
export function* prepareSchema(path: string): Program<boolean> {
  const { application, schema } = yield* versions();
  if (application === applicationId && schema === schemaVersion) return yield* checkAnalyzer(path);
  return yield* transaction("write", function* () {
    // Another process may have been faster while this one waited for the lock.
    yield* checkOwner(path);
    const found = yield* versions();
    // An outbox marks the file too, and leaves the store's version at 0.
    if (found.application !== applicationId || found.schema === 0) yield* create();
    else yield* migrate(found.schema);
    return yield* checkAnalyzer(path);
  });
}

/** Records that the index is up to date. */
export function* recordAnalyzer(): Program<void> {
  yield* run("UPDATE keepsake_meta SET value = ? WHERE name = 'analyzer'", analyzerVersion);
}

function* versions(): Program<{ schema: number; application: number }> {
  return {
    schema: integer(yield* first("PRAGMA user_version"), "user_version"),
    application: integer(yield* first("PRAGMA application_id"), "application_id"),
  };
}

function* create(): Program<void> {
  yield* exec(firstTables);
  yield* run("INSERT INTO keepsake_meta (name, value) VALUES ('analyzer', ?)", analyzerVersion);
  yield* markOwner();
  yield* migrate(1);
}

function* migrate(from: number): Program<void> {
  for (let version = from; version < schemaVersion; version += 1) yield* exec(migrations.get(version) ?? "");
  yield* exec(`PRAGMA user_version = ${schemaVersion}`);
}

function* checkAnalyzer(path: string): Program<boolean> {
  const [row] = yield* all("SELECT value FROM keepsake_meta WHERE name = 'analyzer'");
  const version = integer(row, "value");
  if (version > analyzerVersion)
    throw newer(path, `text analyser ${version}`, `text analyser ${analyzerVersion}`);
  return version < analyzerVersion;
}

/** The error for a file that a later version has written. */
export function newer(path: string, theirs: string, ours: string): KeepsakeError {
  return new KeepsakeError(
    "unsupported_format",
    `The database "${path}" was written by a newer keepsake (${theirs}; this one knows ${ours}). Update keepsake, or choose another file.`,
    { data: { path, theirs, ours } },
  );
}

function foreign(path: string): KeepsakeError {
  return new KeepsakeError(
    "unsupported_format",
    `The database "${path}" belongs to another program: its application_id or user_version is set. Choose another file.`,
    { data: { path } },
  );
}
