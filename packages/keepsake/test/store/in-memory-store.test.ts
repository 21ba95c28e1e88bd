import { expect, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";

test("a question finds the item that holds its words, best first", async () => {
  const store = new InMemoryStore({ index: { fields: { content: 1, note: 0.5 } } });
  await store.put(["u", "1"], "a", { content: "Prefers a window seat", note: "plane" });
  await store.put(["u", "1"], "b", { content: "Allergic to peanuts", note: "window" });
  await store.put(["u", "10"], "c", { content: "window" });
  const found = await store.search(["u", "1"], { query: "Which seats at the windows?" });
  expect(found.map(({ key }) => key)).toEqual(["a", "b"]);
  expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? Number.POSITIVE_INFINITY);
});
