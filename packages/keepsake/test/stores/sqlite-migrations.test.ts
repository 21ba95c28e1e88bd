import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { hashingEmbedder } from "../../src/testing/index.ts";
import { createFormat1 } from "./sqlite-format-1.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const ns = ["memories", "asha"];
const quiet = { debug: () => undefined, warn: () => undefined };

function versionOf(path: string): unknown {
  const database = new Database(path);
  const [row] = database.prepare("PRAGMA user_version").all() as { user_version: number }[];
  database.close();
  return row?.user_version;
}

test("a file of format 1 is read, searched and written on, and gets vectors by reindex", async () => {
  const path = join(folder, "format-1.db");
  createFormat1(path);
  expect(versionOf(path)).toBe(1);
  const store = new SqliteStore(path, { index: { fields: ["content"], embed: hashingEmbedder() } });
  expect(await store.get(ns, "a")).toMatchObject({ value: { content: "green tea" }, version: 1 });
  expect((await store.search(ns, { query: "tea" })).map(({ key }) => key)).toEqual(["a", "b"]);
  expect(await store.search(ns, { query: "tea", mode: "vector" })).toEqual([]);
  await store.put(ns, "c", { content: "saffron" });
  expect(await store.search(ns, { query: "saffron", mode: "vector" })).toHaveLength(1);
  expect(await store.reindex()).toBe(3);
  expect(await store.search(ns, { query: "tea", mode: "vector" })).toHaveLength(3);
  await store.delete(ns, "a");
  await store.close();
  expect(versionOf(path)).toBe(2);
  const again = new SqliteStore(path);
  expect((await again.search(ns, { query: "tea" })).map(({ key }) => key)).toEqual(["b"]);
  await again.close();
});

test("two stores that open a file of format 1 together change it once", async () => {
  const path = join(folder, "together.db");
  createFormat1(path);
  const stores = [new SqliteStore(path), new SqliteStore(path)];
  const counts = await Promise.all(stores.map((store) => store.count([])));
  expect(counts).toEqual([2, 2]);
  for (const store of stores) await store.close();
});

test("a file of a newer format is refused, and left as it is", async () => {
  const path = join(folder, "newer.db");
  createFormat1(path);
  const database = new Database(path);
  database.exec("PRAGMA user_version = 3");
  database.close();
  const store = new SqliteStore(path);
  await expect(store.get(ns, "a")).rejects.toMatchObject({
    code: "unsupported_format",
    message: expect.stringMatching(/newer keepsake \(format 3; this one knows format 2\).*Update keepsake/),
  });
  await store.close();
  expect(versionOf(path)).toBe(3);
});

test("other fields than those the items were indexed by are told of once; reindex makes it good", async () => {
  const path = join(folder, "fields.db");
  const first = new SqliteStore(path, { index: { fields: ["content"] } });
  await first.put(ns, "a", { content: "tea", note: "saffron" });
  await first.close();
  const warnings: string[] = [];
  const logger = { debug: () => undefined, warn: (message: string) => warnings.push(message) };
  const config = { index: { fields: ["content", "note"] }, logger };
  const store = new SqliteStore(path, config);
  expect(await store.search(ns, { query: "saffron" })).toEqual([]);
  await store.search(ns, { query: "saffron" });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/indexed by the fields \[\["content",1\]\].*\["note",1\].*reindex\(\)/);
  await store.reindex();
  expect(await store.search(ns, { query: "saffron" })).toHaveLength(1);
  await store.close();
  const after = new SqliteStore(path, { ...config, index: { fields: { note: 1, content: 1 } } });
  await after.search(ns, { query: "saffron" });
  expect(warnings).toHaveLength(1);
  await after.close();
});

test("a store without an embedder that changes a text drops its vectors; reindex brings them back", async () => {
  const path = join(folder, "without.db");
  const embed = hashingEmbedder();
  const first = new SqliteStore(path, { index: { embed } });
  await first.put(ns, "a", { content: "tea" });
  await first.put(ns, "b", { content: "saffron" });
  await first.close();
  const words = new SqliteStore(path);
  expect(words.capabilities.vector).toBe(false);
  await words.put(ns, "a", { content: "coffee" });
  await words.reindex();
  await words.close();
  const again = new SqliteStore(path, { index: { embed } });
  const vectors = { query: "tea", mode: "vector" } as const;
  expect((await again.search(ns, vectors)).map(({ key }) => key)).toEqual(["b"]);
  await again.reindex();
  expect(await again.search(ns, vectors)).toHaveLength(2);
  expect(embed.embedded.filter((text) => text === "saffron")).toHaveLength(1);
  await again.close();
});

test("another model than the file's: writes keep the item and say so, words are searched, reindex moves", async () => {
  const path = join(folder, "model.db");
  const first = new SqliteStore(path, { index: { embed: hashingEmbedder(16) } });
  await first.put(ns, "a", { content: "green tea" });
  await first.close();
  const warnings: string[] = [];
  const logger = { debug: () => undefined, warn: (message: string) => warnings.push(message) };
  const next = hashingEmbedder(24);
  const store = new SqliteStore(path, { index: { embed: next }, logger });
  const words = /model "hashing-16" \(16 numbers\); the embedder is "hashing-24".*reindex\(\{ embed \}\)/;
  await expect(store.put(ns, "b", { content: "black tea" })).rejects.toMatchObject({
    code: "invalid_embedding",
    message: expect.stringMatching(words),
  });
  expect(next.embedded).toEqual([]);
  expect(await store.search(ns, { query: "tea" })).toHaveLength(2);
  expect(warnings).toEqual([expect.stringMatching(words)]);
  await expect(store.search(ns, { query: "tea", mode: "vector" })).rejects.toMatchObject({
    code: "invalid_embedding",
  });
  await expect(store.reindex()).rejects.toMatchObject({ code: "invalid_embedding" });
  expect(await store.reindex({ embed: next })).toBe(2);
  expect(await store.search(ns, { query: "tea", mode: "vector" })).toHaveLength(2);
  await store.put(ns, "c", { content: "white tea" });
  await store.close();
});

test("a move to another model that was interrupted goes on where it was", async () => {
  const path = join(folder, "interrupted.db");
  const first = new SqliteStore(path, { index: { embed: hashingEmbedder(16) } });
  const operation = (n: number) => ({ namespace: ns, key: `k${n}`, value: { content: `tea ${n}` } });
  await first.batch(Array.from({ length: 700 }, (_, n) => operation(n)));
  const stop = new AbortController();
  const next = hashingEmbedder(24);
  const moving = first.reindex({
    embed: next,
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("enough")),
  });
  await expect(moving).rejects.toThrow("enough");
  const done = next.embedded.length;
  expect(done).toBeLessThan(700);
  await first.close();
  const again = new SqliteStore(path, { index: { embed: hashingEmbedder(16) }, logger: quiet });
  expect(await again.reindex({ embed: next })).toBe(700);
  // Each text once, and one more for each start, which asks for the dims.
  expect(next.embedded.filter((text) => text.startsWith("tea"))).toHaveLength(700);
  expect(await again.search(ns, { query: "tea", mode: "vector", limit: 1000 })).toHaveLength(700);
  await again.close();
});

test("maintain gives free pages back and keeps everything findable", async () => {
  const path = join(folder, "maintain.db");
  const store = new SqliteStore(path, { index: { embed: hashingEmbedder() } });
  await store.batch(
    Array.from({ length: 500 }, (_, n) => ({
      namespace: n < 490 ? ["gone"] : ns,
      key: `k${n}`,
      value: { content: `tea ${"word ".repeat(50)} ${n}` },
    })),
  );
  await store.deleteAll(["gone"]);
  const pages = (): number => {
    const database = new Database(path);
    const [row] = database.prepare("PRAGMA page_count").all() as { page_count: number }[];
    database.close();
    return row?.page_count ?? 0;
  };
  const before = pages();
  await store.maintain();
  expect(pages()).toBeLessThan(before / 2);
  expect(await store.search([], { query: "tea", limit: 100 })).toHaveLength(10);
  expect(await store.search([], { query: "tea", mode: "vector", limit: 100 })).toHaveLength(10);
  await store.close();
});
