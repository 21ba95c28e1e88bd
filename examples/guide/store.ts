// Items are put, found by their words, and counted; a namespace never sees its neighbour.
import assert from "node:assert/strict";

// #region store
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore({ index: { fields: { title: 2, content: 1 } } });
await store.put(["memories", "asha"], "seat", { title: "Seats", content: "Asha prefers a window seat" });
await store.put(["memories", "asha"], "food", { content: "Allergic to peanuts", severe: true });

const [found] = await store.search(["memories", "asha"], { query: "which seats?" });
const severe = await store.count(["memories"], { filter: { severe: true } });
// #endregion

assert.equal(found?.key, "seat");
assert.ok(found?.score !== undefined && found.score > 0);
assert.equal(severe, 1);
assert.deepEqual(await store.search(["memories", "ash"], { query: "seats" }), []);
