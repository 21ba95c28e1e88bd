import assert from "node:assert/strict";
import type { Store } from "../../store/index.ts";
import type { StoreContractRow } from "./context.ts";

const namespace = ["n", "a"];
const slow = { content: "slow" };
const quick = { content: "quick" };

/** An embedder that answers for texts that begin with "slow" only when it is told to, and says when it was asked. */
function slowEmbedder(): {
  embed: (texts: string[]) => Promise<number[][]>;
  asked: Promise<void>;
  answer: () => void;
} {
  let answer = (): void => undefined;
  let ask = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const embed = async (texts: string[]): Promise<number[][]> => {
    if (texts.some((text) => text.startsWith("slow"))) {
      ask();
      await told;
    }
    return texts.map(() => [1, 0]);
  };
  return { embed, asked, answer: () => answer() };
}

/** A row's work with a store over a slow embedder, which answers at the latest when the work has ended: no store hangs when it is closed. */
function withSlowStore(
  work: (store: Store, embedder: ReturnType<typeof slowEmbedder>) => Promise<void>,
): StoreContractRow["run"] {
  return async ({ createStore }) => {
    const embedder = slowEmbedder();
    const store = await createStore({ index: { embed: embedder.embed, fields: ["content"] } });
    try {
      await work(store, embedder);
    } finally {
      embedder.answer();
    }
  };
}

const laterWrites: readonly (readonly [
  name: string,
  write: (store: Store) => Promise<unknown>,
  left: object | undefined,
])[] = [
  ["a put", (store) => store.put(namespace, "k", quick), quick],
  ["a put that is not embedded", (store) => store.put(namespace, "k", quick, false), quick],
  ["a delete", (store) => store.delete(namespace, "k"), undefined],
  ["a batch", (store) => store.batch([{ namespace, key: "k", value: null }]), undefined],
  ["a deletion of its namespace", (store) => store.deleteAll(namespace), undefined],
  ["a deletion above it", (store) => store.deleteAll(["n"]), undefined],
  ["a compare-and-set", (store) => store.compareAndSet(namespace, "k", 1, quick), quick],
];

/** Writes of one key keep the order in which they were called, however long a text takes to embed. */
export const writeOrderRows: readonly StoreContractRow[] = [
  ...laterWrites.map(
    ([name, write, left]): StoreContractRow => ({
      id: `write-order/${name.replaceAll(" ", "-")}`,
      title: `${name} wins over a put of the same key that was called before it and is still being embedded`,
      needs: "vector",
      run: withSlowStore(async (store, { asked, answer }) => {
        const writes = Promise.all([store.put(namespace, "k", slow), write(store)]);
        // A store that refuses one of them asks nothing, and is told so here.
        await Promise.race([asked, writes]);
        answer();
        await writes;
        assert.deepEqual((await store.get(namespace, "k"))?.value, left);
      }),
    }),
  ),
  {
    id: "write-order/after-a-deletion",
    title: "a put that was called after a deletion that waits is kept",
    needs: "vector",
    run: withSlowStore(async (store, { asked, answer }) => {
      const writes = Promise.all([
        store.put(namespace, "k", slow),
        store.deleteAll(["n"]),
        store.put(namespace, "l", quick),
      ]);
      await Promise.race([asked, writes]);
      answer();
      await writes;
      assert.deepEqual(
        (await store.search([])).map(({ key }) => key),
        ["l"],
      );
    }),
  },
  {
    id: "write-order/crossing-batches",
    title: "batches that write the same keys in opposite orders do not wait for each other in a circle",
    needs: "vector",
    run: withSlowStore(async (store, { answer }) => {
      const put = (key: string, n: number) => ({ namespace, key, value: { ...slow, n } });
      const writes = Promise.all([
        store.batch([put("a", 1), put("b", 1)]),
        store.batch([put("b", 2), put("a", 2)]),
        store.deleteAll(["other"]),
        store.batch([put("a", 3), put("a", 4)]),
      ]);
      answer();
      await writes;
      assert.equal((await store.get(namespace, "a"))?.value.n, 4);
      assert.equal((await store.get(namespace, "b"))?.value.n, 2);
    }),
  },
  {
    id: "write-order/others",
    title: "writes of other keys and deletions elsewhere do not wait",
    needs: "vector",
    run: withSlowStore(async (store, { asked, answer }) => {
      const first = store.put(namespace, "k", slow);
      await Promise.race([asked, first]);
      await store.put(namespace, "l", quick);
      await store.deleteAll(["n", "ab"]);
      assert.equal(await store.count([]), 1);
      answer();
      await first;
      assert.equal(await store.count([]), 2);
    }),
  },
  {
    id: "write-order/moved",
    title: "a put whose text was embedded before the store moved to another model is embedded again",
    needs: "vector",
    run: withSlowStore(async (store, { asked, answer }) => {
      const put = store.put(namespace, "k", slow);
      await Promise.race([asked, put]);
      await store.reindex({ embed: async (texts) => texts.map(() => [0, 1, 0]) });
      answer();
      await put;
      assert.equal((await store.search(namespace, { query: "x", mode: "vector" })).length, 1);
    }),
  },
];
