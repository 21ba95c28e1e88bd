import assert from "node:assert/strict";
import type { Filter } from "../../store/index.ts";
import type { Json } from "../../util/index.ts";
import { rejectsWith, type StoreContractRow } from "./context.ts";

const ns = ["combinations"];
const absent = Symbol("absent");

/** What a field may hold; `absent` for an item without it. */
const held: readonly (Json | typeof absent)[] = [
  absent,
  null,
  true,
  false,
  0,
  1,
  2,
  3,
  4,
  -1,
  2.5,
  "",
  "1",
  "2",
  "a",
  "b",
  "京",
  "👍",
  [],
  [1],
  {},
  { a: 1 },
];

type Condition = Readonly<Record<string, Json>>;

/** Conditions that leave something over, so that each operator of a combination matters. */
const numbers: Condition = {
  $ne: 3,
  $gt: 0,
  $gte: 1,
  $lt: 4,
  $lte: 3,
  $in: [1, 2, 3, "2"],
  $nin: [2.5],
  $eq: 2,
};
const texts: Condition = {
  $ne: "1",
  $gt: "",
  $gte: "1",
  $lt: "京",
  $lte: "b",
  $in: ["2", "a", 2],
  $nin: ["a"],
  $eq: "2",
};

/** Every combination of operators on one field, and pairs of fields, against a plain reading of the rules. */
export const filterCombinationRows: readonly StoreContractRow[] = [
  ...(
    [
      ["numbers", numbers],
      ["texts", texts],
    ] as const
  ).map(
    ([name, conditions]): StoreContractRow => ({
      id: `filters/all-combinations-of-${name}`,
      title: `each of the 255 combinations of the eight operators, over ${name} among values of every type`,
      run: async ({ createStore }) => {
        const store = await createStore();
        await store.batch(
          held.map((value, n) => ({ namespace: ns, key: `k${n}`, value: field("f", value) })),
        );
        for (const condition of combinations(conditions)) {
          const found = await store.search(ns, { filter: { f: condition } as Filter, limit: 100 });
          const expected = held.flatMap((value, n) => (satisfies(value, condition) ? [`k${n}`] : []));
          assert.deepEqual(found.map(({ key }) => key).sort(), expected.sort(), JSON.stringify(condition));
        }
      },
    }),
  ),
  {
    id: "filters/two-fields",
    title: "two fields, one of them nested: both conditions apply, each operator with each",
    run: async ({ createStore }) => {
      const store = await createStore();
      const pairs = held.slice(0, 12).flatMap((one) => held.slice(4, 16).map((two) => [one, two] as const));
      await store.batch(
        pairs.map(([one, two], n) => ({
          namespace: ns,
          key: `k${n}`,
          value: { ...field("f", one), deep: field("g", two) },
        })),
      );
      for (const [first, one] of Object.entries(numbers)) {
        for (const [second, two] of Object.entries(texts)) {
          const filter = { f: { [first]: one }, "deep.g": { [second]: two } } as Filter;
          const expected = pairs.filter(
            ([f, g]) => satisfies(f, { [first]: one }) && satisfies(g, { [second]: two }),
          );
          assert.equal(await store.count(ns, { filter }), expected.length, JSON.stringify(filter));
        }
      }
    },
  },
  {
    id: "filters/all-values",
    title: "equality with a value of each type finds it and nothing else, by $eq, $in and plainly",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.batch(held.map((value, n) => ({ namespace: ns, key: `k${n}`, value: field("f", value) })));
      for (const [n, value] of held.entries()) {
        if (value === absent) continue;
        for (const filter of [{ f: value }, { f: { $eq: value } }, { f: { $in: [value] } }] as Filter[]) {
          const found = await store.search(ns, { filter });
          assert.deepEqual(
            found.map(({ key }) => key),
            [`k${n}`],
            JSON.stringify(filter),
          );
        }
      }
    },
  },
  {
    id: "filters/refused-messages",
    title: "an unknown operator and a wrong operand are refused by name, with the nearest operator",
    run: async ({ createStore }) => {
      const store = await createStore();
      await store.put(ns, "k", { n: 1 });
      const refusal = async (filter: unknown): Promise<string> =>
        (await rejectsWith(store.search(ns, { filter: filter as Filter }), "invalid_filter")).message;
      assert.match(await refusal({ n: { $gtt: 1 } }), /\$gtt.*\$gt/s);
      assert.match(await refusal({ n: { $regex: "a" } }), /\$regex/);
      assert.match(await refusal({ n: { $in: "abc" } }), /\$in/);
      assert.match(await refusal({ n: { $gt: 1, $exists: true } }), /\$exists/);
      for (const operand of [null, true, [1], {}, Number.NaN]) await refusal({ n: { $lt: operand } });
    },
  },
];

function field(name: string, value: Json | typeof absent): Record<string, Json> {
  return value === absent ? {} : { [name]: value };
}

function combinations(conditions: Condition): Condition[] {
  const entries = Object.entries(conditions);
  return Array.from({ length: 2 ** entries.length - 1 }, (_, n) =>
    Object.fromEntries(entries.filter((_entry, index) => ((n + 1) >> index) % 2 === 1)),
  );
}

/** The rules once more, in the plainest words, for the values above. */
function satisfies(value: Json | typeof absent, condition: Condition): boolean {
  if (value === absent) return false;
  return Object.entries(condition).every(([operator, operand]) => {
    const same = (other: Json): boolean => JSON.stringify(other) === JSON.stringify(value);
    const among = Array.isArray(operand) && operand.some(same);
    if (operator === "$eq") return same(operand);
    if (operator === "$ne") return !same(operand);
    if (operator === "$in") return among;
    if (operator === "$nin") return !among;
    if (typeof value === "number" && typeof operand === "number") return ordered(operator, value - operand);
    if (typeof value === "string" && typeof operand === "string") {
      return ordered(operator, value === operand ? 0 : value < operand ? -1 : 1);
    }
    return false;
  });
}

function ordered(operator: string, difference: number): boolean {
  if (operator === "$gt") return difference > 0;
  if (operator === "$gte") return difference >= 0;
  return operator === "$lt" ? difference < 0 : difference <= 0;
}
