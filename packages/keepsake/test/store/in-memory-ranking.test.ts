import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";

/** Words of which there are many, some, or hardly any, said once or again and again. */
const names = { tea: 60, coffee: 10, window: 2, peanut: 1 };
const choices = Object.entries(names).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }));
const said = fc
  .tuple(fc.oneof(...choices), fc.constantFrom(1, 1, 1, 6))
  .map(([name, times]) => Array(times).fill(name).join(" "));
const text = fc.array(said, { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
const query = fc.subarray(Object.keys(names), { minLength: 1 }).map((all) => all.join(" "));
const item = fc.record({
  label: fc.constantFrom("a", "b", "c"),
  key: fc.integer({ min: 0, max: 60 }).map(String),
  content: text,
  shown: fc.boolean(),
});

describe("InMemoryStore", () => {
  it("finds the same first, however many are asked for", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 20, maxLength: 90 }),
        fc.array(item, { maxLength: 20 }),
        query,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 4 }),
        fc.boolean(),
        async (added, removed, asked, limit, offset, isFiltered) => {
          const store = new InMemoryStore();
          for (const { label, key, content, shown } of added)
            await store.put(["n", label], key, { content, shown });
          for (const { label, key } of removed) await store.delete(["n", label], key);
          const options = { query: asked, ...(isFiltered ? { filter: { shown: true } } : {}) };
          const all = await store.search(["n"], { ...options, limit: 1000 });
          const words = asked.split(" ");
          const present = await store.search(["n"], { filter: options.filter ?? {}, limit: 1000 });
          const having = present.filter(({ value }) =>
            words.some((one) => String(value.content).includes(one)),
          );
          expect(all).toHaveLength(having.length);
          const page = await store.search(["n"], { ...options, limit, offset });
          expect(page).toEqual(all.slice(offset, offset + limit));
        },
      ),
      { numRuns: 300 },
    );
  });
});
