import { describe, expect, it } from "vitest";
import { MemoryEngine, rememberVerbatim } from "../../../src/memory/index.ts";
import { InMemoryStore, type Store } from "../../../src/store/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import { deliver, namespace, turnsIn } from "./harness.ts";

const stores: [string, () => Store][] = [
  ["InMemoryStore", () => new InMemoryStore()],
  ["SqliteStore", () => new SqliteStore(":memory:")],
];
const messages = ["I am Asha.", "I live in Pune.", "I like tea."].map((content, index) => ({
  id: `m${index}`,
  role: "user",
  content,
}));

describe.each(stores)("a person who is erased from %s while turns are on their way", (_, open) => {
  it.each([
    ["looked for", "batch"],
    ["given their places", "compareAndSet"],
    ["written", "put"],
  ] as const)("does not come back when they are being %s", async (_when, step) => {
    const store = open();
    const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
    const [first = { id: "", role: "user", content: "" }, ...rest] = messages;
    await deliver(rememberVerbatim(store), [first], { threadId: "t" });
    await deliver(rememberVerbatim(before(store, step, () => engine.erase(namespace))), rest, {
      threadId: "t",
    });
    expect(await turnsIn(store)).toEqual([]);
    expect(await store.count(["__keepsake", "turns", ...namespace])).toBe(0);
  });

  it("is remembered again by what is said later", async () => {
    const store = open();
    const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
    const [first, second, third] = messages.map((message) => [message]);
    await deliver(rememberVerbatim(store), first ?? []);
    const during = before(store, "put", async () => {
      await engine.erase(namespace);
      await deliver(rememberVerbatim(store), third ?? []);
    });
    await deliver(rememberVerbatim(during), second ?? []);
    expect((await turnsIn(store)).map(({ content }) => content)).toEqual(["I like tea."]);
    await deliver(rememberVerbatim(store), second ?? []);
    const turns = await turnsIn(store);
    expect(turns.map(({ content }) => content)).toEqual(["I like tea.", "I live in Pune."]);
    expect(new Set(turns.map(({ position }) => position)).size).toBe(2);
  });
});

/** A store in which something is done before the first call of a kind: `put` is a batch that writes, `batch` one that reads turns. */
function before(store: Store, step: "batch" | "compareAndSet" | "put", act: () => Promise<unknown>): Store {
  let isDone = false;
  return new Proxy(store, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        const [operation] = Array.isArray(args[0]) ? args[0] : [];
        const { namespace: [root] = [] } = Object(operation);
        const isWrite = Object.hasOwn(Object(operation), "value");
        const kind =
          member === "batch" && isWrite ? "put" : member === "batch" && root === "__keepsake" ? "" : member;
        if (kind === step && !isDone) {
          isDone = true;
          await act();
        }
        return Reflect.apply(value, target, args);
      };
    },
  });
}
