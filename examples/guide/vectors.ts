// Items are found by meaning beside words; a store moves to another model while it is in use.
import assert from "node:assert/strict";
import { hashingEmbedder } from "keepsake/testing";

const embedder = hashingEmbedder();
const nextEmbedder = hashingEmbedder(128);

// #region vectors
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore({ index: { embed: embedder, fields: { title: 2, content: 1 } } });
await store.put(["memories", "asha"], "seat", { title: "Seats", content: "Asha prefers a window seat" });

const [found] = await store.search(["memories", "asha"], { query: "which seat does she like?" });
console.log(found?.score, found?.signals); // { vector: cosine, keyword: share of the words }
// #endregion

assert.equal(found?.key, "seat");
assert.ok(typeof found?.signals?.vector === "number" && typeof found.signals.keyword === "number");

// #region reindex
await store.reindex({ embed: nextEmbedder, onProgress: (done, total) => console.log(`${done} of ${total}`) });
// #endregion

assert.equal((await store.search(["memories"], { query: "seats", mode: "vector" })).length, 1);
