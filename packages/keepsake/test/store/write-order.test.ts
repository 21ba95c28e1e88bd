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

const slow = { content: "slow" };

// What every store must do is in the store contract (`write-order/…`).
describe("the order of writes", () => {
  test("writes behind a failed one go on", async () => {
    const { store, answer } = slowStore();
    const later = store.put(namespace, "m", { content: Number.NaN });
    await expect(later).rejects.toMatchObject({ code: "invalid_value" });
    await store.delete(namespace, "m");
    answer();
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
