import { describe, expect, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";

const namespace = ["n", "a"];

/** A store whose embedder answers for the text "slow" only when it is told to. */
function slowStore() {
  let answer = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const embed = async (texts: string[]) => {
    if (texts.some((text) => text.startsWith("slow"))) await told;
    return texts.map(() => [1, 0]);
  };
  return { store: new InMemoryStore({ index: { embed, fields: ["content"] } }), answer: () => answer() };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
const slow = { content: "slow" };
const quick = { content: "quick" };

describe("writes of one key keep their order, however long the earlier one's text takes to embed", () => {
  test.each<[string, (store: InMemoryStore) => Promise<unknown>, object | undefined]>([
    ["a put", (store) => store.put(namespace, "k", quick), quick],
    ["a put that is not embedded", (store) => store.put(namespace, "k", quick, false), quick],
    ["a delete", (store) => store.delete(namespace, "k"), undefined],
    ["a batch", (store) => store.batch([{ namespace, key: "k", value: null }]), undefined],
    ["a deletion of its namespace", (store) => store.deleteAll(namespace), undefined],
    ["a deletion above it", (store) => store.deleteAll(["n"]), undefined],
    ["a compare-and-set", (store) => store.compareAndSet(namespace, "k", 1, quick), quick],
  ])("%s wins over an earlier put", async (_name, later, expected) => {
    const { store, answer } = slowStore();
    const writes = [store.put(namespace, "k", slow), later(store)];
    await soon();
    answer();
    await Promise.all(writes);
    expect((await store.get(namespace, "k"))?.value).toEqual(expected);
  });

  test("a put after a deletion that waits is kept", async () => {
    const { store, answer } = slowStore();
    const writes = [
      store.put(namespace, "k", slow),
      store.deleteAll(["n"]),
      store.put(namespace, "l", quick),
    ];
    await soon();
    answer();
    await Promise.all(writes);
    expect((await store.search([])).map(({ key }) => key)).toEqual(["l"]);
  });

  test("batches that cross do not wait for each other in a circle", async () => {
    const { store, answer } = slowStore();
    const put = (key: string, n: number) => ({ namespace, key, value: { ...slow, n } });
    const writes = [
      store.batch([put("a", 1), put("b", 1)]),
      store.batch([put("b", 2), put("a", 2)]),
      store.deleteAll(["other"]),
      store.batch([put("a", 3), put("a", 4)]),
    ];
    answer();
    await Promise.all(writes);
    expect((await store.get(namespace, "a"))?.value.n).toBe(4);
    expect((await store.get(namespace, "b"))?.value.n).toBe(2);
  });

  test("writes of other keys do not wait, and those behind a failed one go on", async () => {
    const { store, answer } = slowStore();
    const first = store.put(namespace, "k", slow);
    await store.put(namespace, "l", quick);
    await store.deleteAll(["n", "ab"]);
    expect(await store.count([])).toBe(1);
    answer();
    await first;
    const later = store.put(namespace, "m", { content: Number.NaN });
    await expect(later).rejects.toMatchObject({ code: "invalid_value" });
    await store.delete(namespace, "m");
  });

  test("closing waits for writes that wait", async () => {
    const { store, answer } = slowStore();
    const done: string[] = [];
    const first = store.put(namespace, "k", slow).then(() => done.push("put"));
    const second = store.delete(namespace, "k").then(() => done.push("delete"));
    const closed = store.close().then(() => done.push("closed"));
    answer();
    await Promise.all([first, second, closed]);
    expect(done.slice(0, 2).sort()).toEqual(["delete", "put"]);
    expect(done[2]).toBe("closed");
  });
});
