import { join } from "node:path";
import Database from "better-sqlite3";
import { SqliteStore } from "keepsake/sqlite";
import type { Setting } from "./setting.ts";
import { spent } from "./stopwatch.ts";
import { textSource } from "./texts.ts";

/** Writing with a text index, beside plain inserts into a table whose trigger fills an FTS5 index. */
export interface Writes {
  readonly items: number;
  readonly batchSize: number;
  /** Items a second of processor time: the median of the rounds. */
  readonly keepsakePerSecond: number;
  readonly plainPerSecond: number;
  /** keepsake's rate by the plain one. */
  readonly share: number;
}

const batchSize = 500;
const wordsPerItem = 25;
const rounds = 5;

export async function measureWrites(setting: Setting, items: number): Promise<Writes> {
  const source = textSource();
  const contents = Array.from({ length: items }, () => source.text(wordsPerItem));
  const keepsake: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    setting.progress(`round ${round + 1} of ${rounds}`);
    keepsake.push(
      await rate(contents, (path) => writeKeepsake(path, contents), setting, `keepsake-${round}`),
    );
    plain.push(await rate(contents, (path) => writePlain(path, contents), setting, `plain-${round}`));
  }
  const median = (values: number[]): number => values.sort((left, right) => left - right)[rounds >> 1] ?? 0;
  const keepsakePerSecond = median(keepsake);
  const plainPerSecond = median(plain);
  return { items, batchSize, keepsakePerSecond, plainPerSecond, share: keepsakePerSecond / plainPerSecond };
}

async function rate(
  contents: readonly string[],
  write: (path: string) => Promise<void>,
  { folder }: Setting,
  name: string,
): Promise<number> {
  const { cpuMs } = await spent(() => write(join(folder, `${name}.db`)));
  return (contents.length / cpuMs) * 1000;
}

async function writeKeepsake(path: string, contents: readonly string[]): Promise<void> {
  const store = new SqliteStore(path, { driver: "better-sqlite3", index: { fields: ["content"] } });
  for (let done = 0; done < contents.length; done += batchSize) {
    await store.batch(
      contents.slice(done, done + batchSize).map((content, n) => ({
        namespace: ["bench", "writes"],
        key: `k${done + n}`,
        value: { content },
      })),
    );
  }
  await store.close();
}

/** As an app would write it by hand: the same driver, settings, columns and batches, FTS5 with its English stemmer. */
async function writePlain(path: string, contents: readonly string[]): Promise<void> {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  database.pragma("cache_size = -16000");
  database.exec(`
    CREATE TABLE items (
      id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, UNIQUE (namespace, key)
    );
    CREATE INDEX items_newest ON items (namespace, updated_at DESC, key);
    CREATE VIRTUAL TABLE texts USING fts5 (content, content = '', tokenize = 'porter unicode61');
    CREATE TRIGGER items_insert AFTER INSERT ON items BEGIN
      INSERT INTO texts (rowid, content) VALUES (new.id, json_extract(new.value, '$.content'));
    END;
  `);
  const insert = database.prepare(
    "INSERT INTO items (namespace, key, value, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
  );
  for (let done = 0; done < contents.length; done += batchSize) {
    database.transaction(() => {
      contents.slice(done, done + batchSize).forEach((content, n) => {
        const now = Date.now();
        insert.run('"bench","writes",', `k${done + n}`, JSON.stringify({ content }), now, now);
      });
    })();
  }
  database.close();
}
