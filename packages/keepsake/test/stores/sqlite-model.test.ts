import fc from "fast-check";
import { expect, test } from "vitest";
import { InMemoryStore, type Store } from "../../src/store/index.ts";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { hashingEmbedder } from "../../src/testing/index.ts";
import { namespace, steps } from "./operations.ts";

const fields = { title: 2, "body.text": 1, n: 0.3 };

/** The result of a step, or the code of its error. */
async function outcome(run: Promise<unknown>): Promise<unknown> {
  try {
    return await run;
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}

test.each([
  ["by words", {}, 100],
  ["by words and vectors", { embed: hashingEmbedder(12) }, 150],
])(
  "a SqliteStore does what an InMemoryStore does, scores included, in every random history: %s",
  async (_, vectors, numRuns) => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const clock = { time: 1_000_000 };
        const config = { index: { fields, ...vectors }, now: () => clock.time };
        const model = new InMemoryStore(config);
        const store = new SqliteStore(":memory:", config);
        for (const [position, step] of history.entries()) {
          clock.time += position % 2;
          const expected = await outcome(step.run(model));
          expect(await outcome(step.run(store)), step.name).toEqual(expected);
        }
        await store.close();
      }),
      { numRuns },
    );
  },
);

test("no search, count, listing or deletion under a random namespace reaches a foreign item", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(namespace, { minLength: 2, maxLength: 8 }),
      namespace,
      async (namespaces, prefix) => {
        const isUnder = (place: readonly string[]): boolean => prefix.every((part, at) => part === place[at]);
        const own = new Set(namespaces.filter(isUnder).map((place) => JSON.stringify(place)));
        for (const store of [new InMemoryStore(), new SqliteStore(":memory:")] satisfies Store[]) {
          for (const place of namespaces) await store.put(place, "k", { content: "tea" });
          for (const options of [{}, { query: "tea" }]) {
            const found = await store.search(prefix, { ...options, limit: 100 });
            expect(new Set(found.map((item) => JSON.stringify(item.namespace)))).toEqual(own);
          }
          expect(await store.count(prefix)).toBe(own.size);
          expect(await store.deleteAll(prefix)).toBe(own.size);
          for (const place of namespaces)
            expect((await store.get(place, "k")) !== null).toBe(!isUnder(place));
          await store.close();
        }
      },
    ),
    { numRuns: 100 },
  );
});
