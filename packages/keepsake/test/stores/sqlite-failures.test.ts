import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { drivers } from "./drivers.ts";
import { limitedDriver, readOnlyDriver } from "./own-drivers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const ns = ["n"];
const nobody = 65_534;

/** Root may write anywhere: where that is who runs the tests, somebody else does this. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  chmodSync(folder, 0o755);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

for (const { name: driver, missing } of drivers) {
  describe.skipIf(missing !== undefined)(
    `${driver}${missing === undefined ? "" : ` (skipped: ${missing})`}`,
    () => {
      const pathOf = (name: string): string => join(folder, `${driver.replace(":", "-")}-${name}`);
      const open = (name: string): SqliteStore => new SqliteStore(pathOf(name), { driver });

      async function makeReadOnly(
        name: string,
        modes: { file: number; folder: number },
        options?: { ttlMs: number },
      ): Promise<void> {
        mkdirSync(pathOf(name));
        const path = join(pathOf(name), "a.db");
        const store = new SqliteStore(path, { driver });
        await store.put(ns, "k", { content: "tea" }, undefined, options);
        await store.close();
        chmodSync(path, modes.file);
        chmodSync(pathOf(name), modes.folder);
      }

      test("a file that is not a database is named, and left as it is", async () => {
        writeFileSync(
          pathOf("text.db"),
          "This is a text file, and a long one, so that nobody takes it for an empty database. ".repeat(20),
        );
        const before = readFileSync(pathOf("text.db"));
        await expect(open("text.db").get(ns, "k")).rejects.toMatchObject({
          code: "database_failed",
          message: expect.stringMatching(/text\.db" is not a SQLite database; choose another path/),
        });
        expect(readFileSync(pathOf("text.db"))).toEqual(before);
      });

      test("a folder in the place of a file", async () => {
        mkdirSync(pathOf("folder.db"));
        await expect(open("folder.db").get(ns, "k")).rejects.toMatchObject({
          code: "database_failed",
          message: expect.stringContaining("is a folder; a SQLite store needs the path of a file"),
        });
      });

      test("a folder that is missing; once it is there, the same store works", async () => {
        const store = open(join("missing", "a.db"));
        await expect(store.get(ns, "k")).rejects.toMatchObject({
          code: "database_failed",
          message: expect.stringMatching(/The folder ".*missing" .* does not exist; create it first/),
        });
        mkdirSync(pathOf("missing"));
        await store.put(ns, "k", { a: 1 });
        expect(await store.count(ns)).toBe(1);
        await store.close();
      });

      test("a read-only file can be read; writing says what is wrong", async () => {
        await makeReadOnly("read-only.db", { file: 0o444, folder: 0o777 });
        await asOrdinaryUser(async () => {
          const store = open(join("read-only.db", "a.db"));
          expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
          expect((await store.get(ns, "k"))?.value).toEqual({ content: "tea" });
          expect([await store.count(ns), await store.listNamespaces()]).toEqual([1, [ns]]);
          for (const write of [
            () => store.put(ns, "k", { content: "milk" }),
            () => store.delete(ns, "k"),
            () => store.deleteAll(ns),
            () => store.reindex(),
            () => store.maintain(),
          ]) {
            await expect(write()).rejects.toMatchObject({
              code: "database_failed",
              message: expect.stringContaining("cannot be written; check the permissions"),
            });
          }
          expect((await store.get(ns, "k"))?.value).toEqual({ content: "tea" });
          await store.close();
        });
      });

      test("a read-only file in which an item has expired: the error says why it cannot be read", async () => {
        await makeReadOnly("read-only-expired.db", { file: 0o444, folder: 0o777 }, { ttlMs: 1 });
        await asOrdinaryUser(async () => {
          const store = new SqliteStore(join(pathOf("read-only-expired.db"), "a.db"), {
            driver,
            now: () => Date.now() + 1000,
          });
          await expect(store.get(ns, "k")).rejects.toMatchObject({
            code: "database_failed",
            message: expect.stringMatching(/item has expired.*removed before anything is read.*maintain\(\)/),
          });
          await store.close();
        });
      });

      test("a read-only folder: what cannot be done says what is wrong", async () => {
        await makeReadOnly("read-only-folder.db", { file: 0o666, folder: 0o555 });
        await asOrdinaryUser(async () => {
          const store = open(join("read-only-folder.db", "a.db"));
          const refused = {
            code: "database_failed",
            message: expect.stringContaining("check the permissions of the file and of its folder"),
          };
          await expect(store.put(ns, "k", { content: "milk" })).rejects.toMatchObject(refused);
          const read = await store.get(ns, "k").catch((error: unknown) => error);
          expect(read).toMatchObject(driver === "libsql" ? { value: { content: "tea" } } : refused);
          await store.close();
          await expect(open(join("read-only-folder.db", "new.db")).get(ns, "k")).rejects.toMatchObject({
            code: "database_failed",
            message: expect.stringMatching(/cannot be opened; check the path and the permissions/),
          });
        });
        chmodSync(pathOf("read-only-folder.db"), 0o755);
      });

      test("a database of another program is refused before anything in it is changed", async () => {
        const foreign = new Database(pathOf("foreign.db"));
        foreign.exec("CREATE TABLE theirs (a); PRAGMA application_id = 7; PRAGMA user_version = 3");
        foreign.close();
        const before = readFileSync(pathOf("foreign.db"));
        await expect(open("foreign.db").get(ns, "k")).rejects.toMatchObject({
          code: "unsupported_format",
          message: expect.stringContaining("belongs to another program"),
        });
        expect(readFileSync(pathOf("foreign.db"))).toEqual(before);
      });

      test("a database without marks may be shared", async () => {
        const shared = new Database(pathOf("shared.db"));
        shared.exec("CREATE TABLE checkpoints (a); INSERT INTO checkpoints VALUES (1)");
        const store = open("shared.db");
        await store.put(ns, "k", { a: 1 });
        await store.close();
        expect(shared.prepare("SELECT a FROM checkpoints").all()).toEqual([{ a: 1 }]);
        shared.close();
      });

      test.each([
        ["format", "PRAGMA user_version = 99", /newer keepsake \(format 99; this one knows format 2\)/],
        [
          "text analyser",
          "UPDATE keepsake_meta SET value = 99 WHERE name = 'analyzer'",
          /newer keepsake \(text analyser 99/,
        ],
      ])("a database of a newer %s is refused", async (what, statement, message) => {
        const name = `newer-${what}.db`;
        const store = open(name);
        await store.put(ns, "k", { a: 1 });
        await store.close();
        const database = new Database(pathOf(name));
        database.exec(statement);
        database.close();
        await expect(open(name).get(ns, "k")).rejects.toMatchObject({
          code: "unsupported_format",
          message: expect.stringMatching(message),
        });
      });

      test("an index of an older analyser is made again, each item with the fields it was written with", async () => {
        const name = "older.db";
        const store = open(name);
        await store.put(ns, "usual", { content: "tea", note: "coffee" });
        await store.put(ns, "note", { content: "tea", note: "coffee" }, ["note"]);
        await store.put(ns, "none", { content: "tea", note: "coffee" }, false);
        const before = await store.search(ns, { query: "tea coffee" });
        await store.close();
        const database = new Database(pathOf(name));
        const [row] = database
          .prepare(
            "SELECT d.* FROM keepsake_documents d JOIN keepsake_items i ON i.id = d.item WHERE i.key = 'usual'",
          )
          .all() as { item: number; terms: string }[];
        database
          .prepare("INSERT INTO keepsake_terms (keepsake_terms, rowid, terms) VALUES ('delete', ?, ?)")
          .run(row?.item, "tea|1|1 coffee|1|1");
        database.prepare("INSERT INTO keepsake_terms (rowid, terms) VALUES (?, ?)").run(row?.item, "te|1|1");
        database
          .prepare("UPDATE keepsake_documents SET terms = ?, length = 100 WHERE item = ?")
          .run("\nte 100\n", row?.item);
        database.exec(
          "UPDATE keepsake_namespaces SET total_length = total_length - 100; UPDATE keepsake_meta SET value = 0",
        );
        database.close();
        const again = open(name);
        expect(await again.search(ns, { query: "tea coffee" })).toEqual(before);
        expect(await again.search(ns, { query: "te" })).toEqual([]);
        await again.close();
      });
    },
  );
}

test("a database that may only be read can be read; writing says what is wrong", async () => {
  const path = join(folder, "read-only-driver.db");
  const store = new SqliteStore(path);
  await store.put(ns, "k", { content: "tea" });
  await store.close();
  const driver = readOnlyDriver(path);
  const again = new SqliteStore(path, { driver });
  await expect(again.put(ns, "k", { content: "coffee" })).rejects.toMatchObject({
    code: "database_failed",
    message: expect.stringContaining("cannot be written; check the permissions"),
  });
  expect(await again.search(ns, { query: "tea" })).toHaveLength(1);
  await again.close();
  await driver.close();
});

test("a full disk: the write that did not fit leaves nothing behind, and the store goes on", async () => {
  const store = new SqliteStore(":memory:", { driver: limitedDriver(60) });
  await store.put(ns, "small", { content: "tea" });
  await expect(store.put(ns, "big", { content: "x".repeat(1_000_000) })).rejects.toMatchObject({
    code: "database_failed",
    message: expect.stringMatching(/is full; the disk, or the size allowed for the file, has no room left/),
  });
  await expect(
    store.batch([
      { namespace: ns, key: "one", value: { content: "saffron" } },
      { namespace: ns, key: "two", value: { content: "y".repeat(1_000_000) } },
    ]),
  ).rejects.toMatchObject({ code: "database_failed" });
  expect((await store.search([])).map(({ key }) => key)).toEqual(["small"]);
  expect(await store.search([], { query: "saffron" })).toEqual([]);
  await store.put(ns, "small too", { content: "tea" });
  expect(await store.search([], { query: "tea" })).toHaveLength(2);
});

test.each([
  [() => new SqliteStore(""), "invalid_config", "path"],
  [() => new SqliteStore(undefined as never), "invalid_config", "path"],
  [() => new SqliteStore("a.db", { driver: "sqlite3" as never }), "invalid_config", "better-sqlite3"],
  [() => new SqliteStore("a.db", { driver: {} as never }), "invalid_config", "exec, run, all and close"],
  [() => new SqliteStore("a.db", { synchronous: "maybe" as never }), "invalid_config", "full"],
  [() => new SqliteStore("a.db", { drivers: "libsql" } as never), "invalid_config", 'Did you mean "driver"'],
  [
    () => new SqliteStore("a.db", { index: { field: ["a"] } as never }),
    "invalid_config",
    'Did you mean "fields"',
  ],
  [() => new SqliteStore("a.db", { index: { fields: [] } }), "invalid_config", "empty"],
  [() => new SqliteStore("a.db", { index: { fields: { a: 0 } } }), "invalid_config", "weight"],
])("configuration that cannot work is refused at construction (%#)", (construct, code, words) => {
  expect(construct).toThrow(expect.objectContaining({ code, message: expect.stringContaining(words) }));
});

test.skipIf(drivers[0]?.missing === undefined)(
  "a driver that is not there: the error names the package and the option (where node:sqlite is missing)",
  async () => {
    await expect(new SqliteStore(":memory:", { driver: "node:sqlite" }).get(ns, "k")).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringMatching(/`driver: "node:sqlite"` needs node:sqlite.*npm install better-sqlite3/),
    });
  },
);
