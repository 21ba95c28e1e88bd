import assert from "node:assert/strict";
import type { Item, Store } from "../../store/index.ts";
import { places, rejectsWith, type StoreContractRow } from "./context.ts";

/** Characters that mean something to a query language, a path, a pattern or a terminal; and those that look like others. */
export const awkwardCharacters: readonly string[] = [
  "%",
  "_",
  ".",
  ":",
  "/",
  "\\",
  "*",
  '"',
  "'",
  ",",
  "-",
  "[",
  "]",
  "{",
  "}",
  "$",
  "?",
  "#",
  "|",
  ";",
  "`",
  " ",
  "\n",
  "\t",
  "\u0001",
  "\u007f",
  "\u00a0",
  "\u200b",
  "\u202e",
  "\ufeff",
  "京",
  "が",
  "か\u3099",
  "👩‍👩‍👧",
  "👍🏽",
  "\u00e9",
  "e\u0301",
];

/** Texts that a careless program takes for a part of its own statements. */
const injections: readonly string[] = [
  "'; DROP TABLE items; --",
  "' OR '1'='1",
  "a') OR 1=1 --",
  '") OR ("1"="1',
  'x"."y',
  "$.a",
  "$[0]",
  "a' || (SELECT 1) || '",
  "{{7*7}}",
  "\\'; --",
  "$1",
  "?1",
  ":name",
  "@name",
  "%s",
  '{"$ne":null}',
  "$where",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
];

/** Whatever the characters of labels, keys, values and paths. */
export const characterRows: readonly StoreContractRow[] = [
  {
    id: "namespaces/awkward-characters",
    title: "no character of a label makes a namespace see another: twins around 37 characters, in one store",
    run: async ({ createStore }) => {
      const store = await createStore();
      const all = namespacesAround(awkwardCharacters);
      await store.batch(all.map((namespace) => ({ namespace, key: "k", value: { content: "tea" } })));
      assert.equal(await store.count([]), all.length);
      for (const prefix of all) {
        const expected = all.filter((namespace) => isUnder(namespace, prefix)).map(asPlace);
        assert.deepEqual(places(await store.search(prefix, { limit: 1000 })), expected.sort());
        assert.equal(await store.count(prefix), expected.length);
        if (prefix.includes("*")) continue;
        const listed = await store.listNamespaces({ prefix, limit: 1000 });
        assert.deepEqual(listed.map(asPlace).sort(), expected);
      }
      assert.equal((await store.listNamespaces({ limit: 1000 })).length, all.length);
    },
  },
  {
    id: "namespaces/awkward-queries",
    title: "and neither does a query",
    needs: "keyword",
    run: async ({ createStore }) => {
      const store = await createStore();
      const all = namespacesAround(awkwardCharacters);
      await store.batch(all.map((namespace) => ({ namespace, key: "k", value: { content: "tea" } })));
      for (const prefix of all) {
        const expected = all.filter((namespace) => isUnder(namespace, prefix)).map(asPlace);
        const found = await store.search(prefix, { query: "tea", limit: 1000 });
        assert.deepEqual(places(found), expected.sort());
      }
    },
  },
  {
    id: "keys/awkward-characters",
    title: "no character of a key makes it another: each is read, overwritten and deleted alone",
    run: async ({ createStore }) => {
      const store = await createStore();
      const keys = [...new Set(awkwardCharacters.flatMap((c) => [c, `a${c}`, `${c}a`, `a${c}b`, c + c]))];
      const namespace = ["keys"];
      await store.batch(keys.map((key, n) => ({ namespace, key, value: { n } })));
      assert.equal(await store.count(namespace), keys.length);
      for (const [n, key] of keys.entries()) {
        assert.deepEqual((await store.get(namespace, key))?.value, { n }, JSON.stringify(key));
        await store.put(namespace, key, { n, again: true });
      }
      let left = keys.length;
      for (const key of keys) {
        await store.delete(namespace, key);
        left -= 1;
        assert.equal(await store.get(namespace, key), null);
        assert.equal(await store.count(namespace), left, JSON.stringify(key));
      }
    },
  },
  {
    id: "keys/too-long",
    title:
      "a key or a label of 10 kB is refused with a message that names the limit, and cuts what it quotes",
    run: async ({ createStore }) => {
      const store = await createStore();
      for (const long of ["x".repeat(10_240), "京".repeat(3_414)]) {
        const refusals = [
          await rejectsWith(store.put(["a"], long, { n: 1 }), "invalid_key"),
          await rejectsWith(store.put([long], "k", { n: 1 }), "invalid_namespace"),
        ];
        for (const { message } of refusals) {
          assert.match(message, /\d/);
          assert.ok(message.length < 500, `the message has ${message.length} characters`);
        }
      }
      assert.equal(await store.count([]), 0);
    },
  },
  {
    id: "injection/labels-keys-values",
    title: "what looks like a statement is kept as text, as label, key and value, and does nothing",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(["safe"], "k", { content: "tea", owner: "asha" });
      for (const text of injections) {
        await store.put(["in", text], text, { [text]: text, content: text });
        const item = await store.get(["in", text], text);
        assert.deepEqual(item?.value, { ...own(text, text), content: text }, text);
        assert.deepEqual(places(await store.search(["in", text])), [asPlace(["in", text], text)]);
        assert.equal(await store.count(["in", text]), 1);
        assert.deepEqual(await store.listNamespaces({ prefix: ["in", text] }), [["in", text]]);
        assert.equal(await store.deleteAll(["in", text]), 1, text);
      }
      assert.deepEqual((await store.get(["safe"], "k"))?.value, { content: "tea", owner: "asha" });
      assert.equal(await store.count([]), 1);
      assert.equal(({} as Record<string, unknown>).content, undefined);
    },
  },
  {
    id: "injection/filters",
    title: "what looks like a statement is bound as path and operand of a filter, or refused",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(["safe"], "k", { content: "tea", owner: "asha" });
      await store.put(["safe"], "other", { content: "tea" });
      for (const text of injections) {
        assert.equal(await countOr(store, own(text, { $ne: 1 })), 0, text);
        assert.equal(await countOr(store, own(text, "asha")), 0, text);
        assert.equal(await countOr(store, own(`owner.${text}`, { $ne: 1 })), 0, text);
        assert.equal(await store.count(["safe"], { filter: { owner: text } }), 0, text);
        assert.equal(await store.count(["safe"], { filter: { owner: { $in: [text] } } }), 0, text);
        assert.equal(await store.count(["safe"], { filter: { owner: { $nin: [text] } } }), 1, text);
        assert.equal(await store.deleteAll(["safe"], { filter: { content: text } }), 0, text);
      }
      assert.equal(await store.count([]), 2);
    },
  },
  {
    id: "injection/own-fields",
    title: "a field by such a name is found by its name, dotted or quoted, and only by it",
    run: async ({ createStore }) => {
      const store = await createStore();
      const names = injections.filter((text) => !text.startsWith("$"));
      for (const name of names) await store.put(["own"], name, { ...own(name, 5) });
      for (const name of names) {
        for (const filter of [own(name, 5), own(name, { $gte: 5, $lt: 6 })]) {
          const found = await store.search(["own"], { filter: filter as never });
          assert.deepEqual(
            found.map(({ key }) => key),
            [name],
          );
        }
      }
    },
  },
];

function namespacesAround(characters: readonly string[]): string[][] {
  const plain = [["a"], ["b"], ["ab"], ["a", "b"], ["a", "a"]];
  const around = characters.flatMap((c) => [
    [c],
    [c, c],
    [c + c],
    [`a${c}`],
    [`a${c}b`],
    ["a", c],
    [`${c}a`],
  ]);
  return [...new Map([...plain, ...around].map((labels) => [JSON.stringify(labels), labels])).values()];
}

function isUnder(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((label, index) => namespace[index] === label);
}

function asPlace(namespace: readonly string[], key: unknown = "k"): string {
  return JSON.stringify([...namespace, typeof key === "string" ? key : "k"]);
}

/** An object with a property of its own by that name, also where the name is `__proto__`. */
function own(name: string, value: unknown): Item["value"] {
  return Object.fromEntries([[name, value]]);
}

/** 0 also where the filter is refused: a name that begins with `$` is an operator in the wrong place. */
async function countOr(store: Store, filter: Record<string, unknown>): Promise<number> {
  try {
    return await store.count(["safe"], { filter: filter as never });
  } catch (error) {
    await rejectsWith(Promise.reject(error), "invalid_filter");
    return 0;
  }
}
