import fc from "fast-check";
import type { Filter, Store } from "../../src/store/index.ts";

/** A step of a random history: what it does to a store, and what it gives back. */
export interface Step {
  readonly name: string;
  run(store: Store): Promise<unknown>;
}

const awkward = [
  "a",
  "b",
  "a.b",
  "a:b",
  "a/b",
  "a,b",
  '"',
  "'",
  "\\",
  "%",
  "_",
  "*",
  "A",
  "é",
  "e\u0301",
  "1",
  "10",
  "\u{1f600}",
  "\uff5e",
  "__proto__",
  '","',
  "]",
  "\u0001",
  " ",
  "__keepsake",
];
/** Labels that a careless encoding mixes up. */
const label: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({
    minLength: 1,
    maxLength: 3,
    unit: fc.constantFrom("a", "1", ".", ",", '"', "\\", "%", ":", "-"),
  }),
);
/** Namespaces of such labels. */
export const namespace: fc.Arbitrary<string[]> = fc.array(label, { minLength: 1, maxLength: 3 });

const fewNamespaces = fc.constantFrom(
  ["u"],
  ["u", "1"],
  ["u", "10"],
  ["u", "1", "x"],
  ["v"],
  ["__keepsake", "u"],
);
const fewKeys = fc.constantFrom("a", "b", "c", "\u{1f600}", "\uff5e");
const words = [
  "tea",
  "teas",
  "green",
  "saffron",
  "the",
  "of",
  "北京",
  "北",
  "京都",
  "👍🏽",
  "👍",
  "a-b",
  "b",
  "Café",
  "don't",
  "\u0000",
  "\ud800",
];
const sentence = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((list) => list.join(" "));
const value = fc.record(
  { title: sentence, body: fc.record({ text: sentence }), n: fc.integer({ min: 0, max: 3 }) },
  { requiredKeys: [] },
);
const filter = fc.constantFrom<(Filter | undefined)[]>(
  undefined,
  { n: 1 },
  { n: { $gt: 0, $lt: 3 } },
  { "body.text": { $ne: "" } },
  { n: { $nin: [0] } },
);
const index = fc.constantFrom(undefined, undefined, undefined, false as const, ["title"], ["body.text", "n"]);
const prefix = fc.constantFrom<string[][]>([], ["u"], ["u", "1"], ["v"], ["w"], ["__keepsake"]);

const put = fc
  .record({
    namespace: fewNamespaces,
    key: fewKeys,
    value,
    index,
    ttlMs: fc.constantFrom(undefined, undefined, 3, 10),
    touch: fc.constantFrom(false, false, true),
  })
  .map(
    ({ namespace: ns, key, value: given, index: fields, ttlMs, touch }): Step => ({
      name: `put ${JSON.stringify({ ns, key, given, fields, ttlMs, touch })}`,
      run: (store) => store.put(ns, key, given, fields, { touch, ...(ttlMs === undefined ? {} : { ttlMs }) }),
    }),
  );
const compareAndSet = fc
  .record({ namespace: fewNamespaces, key: fewKeys, value, version: fc.constantFrom(null, 1, 2) })
  .map(
    ({ namespace: ns, key, value: given, version }): Step => ({
      name: `compareAndSet ${JSON.stringify({ ns, key, version, given })}`,
      run: (store) => store.compareAndSet(ns, key, version, given),
    }),
  );
const single = fc
  .record({ namespace: fewNamespaces, key: fewKeys })
  .chain(({ namespace: ns, key }) =>
    fc.constantFrom<Step>(
      { name: `get ${JSON.stringify({ ns, key })}`, run: (store) => store.get(ns, key) },
      { name: `delete ${JSON.stringify({ ns, key })}`, run: (store) => store.delete(ns, key) },
    ),
  );
const search = fc
  .record({
    prefix,
    query: fc.oneof(sentence, fc.constant(undefined)),
    filter,
    limit: fc.constantFrom(1, 2, 10, 100),
    offset: fc.constantFrom(0, 0, 1, 3),
    mode: fc.constantFrom<("hybrid" | "keyword" | "vector")[]>("hybrid", "hybrid", "keyword", "vector"),
  })
  .map(
    ({ prefix: ns, query, filter: given, limit, offset, mode }): Step => ({
      name: `search ${JSON.stringify({ ns, query, given, limit, offset, mode })}`,
      run: (store) =>
        store.search(ns, {
          limit,
          offset,
          mode,
          ...(query === undefined ? {} : { query }),
          ...(given === undefined ? {} : { filter: given }),
        }),
    }),
  );
const whole = fc
  .record({
    prefix,
    filter,
    suffix: fc.constantFrom<(string[] | undefined)[]>(undefined, ["1"], ["*"], ["u", "*"]),
    maxDepth: fc.constantFrom(undefined, 1, 2),
  })
  .chain(({ prefix: ns, filter: given, suffix, maxDepth }) => {
    const options = given === undefined ? {} : { filter: given };
    return fc.constantFrom<Step>(
      { name: `count ${JSON.stringify({ ns, given })}`, run: (store) => store.count(ns, options) },
      {
        name: `deleteAll ${JSON.stringify({ ns, given })}`,
        run: (store) => (ns.length === 0 ? store.count(ns) : store.deleteAll(ns, options)),
      },
      {
        name: `listNamespaces ${JSON.stringify({ ns, suffix, maxDepth })}`,
        run: (store) =>
          store.listNamespaces({
            prefix: ns,
            ...(suffix === undefined ? {} : { suffix }),
            ...(maxDepth === undefined ? {} : { maxDepth }),
          }),
      },
      { name: "reindex", run: (store) => store.reindex() },
    );
  });

/** Random histories of everything that a store can do. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: put },
    { weight: 1, arbitrary: compareAndSet },
    { weight: 2, arbitrary: single },
    { weight: 4, arbitrary: search },
    { weight: 1, arbitrary: whole },
  ),
  { minLength: 1, maxLength: 40 },
);
