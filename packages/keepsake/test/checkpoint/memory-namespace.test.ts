import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { conversationOf, memoryNamespace } from "../../src/checkpoint/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";

const reducer = new MessageReducer();

describe("memoryNamespace", () => {
  it("is what the config has under the reducer's key, untouched", () => {
    const namespace = { tenant: 7n };
    expect(memoryNamespace(reducer, { configurable: { memory_namespace: namespace, thread_id: "t" } })).toBe(
      namespace,
    );
  });

  it("is of the type that hooks are given", () => {
    expectTypeOf(memoryNamespace(reducer, {})).toEqualTypeOf<string[] | null>();
    expectTypeOf(memoryNamespace<{ tenant: string }>(reducer as never, {})).toEqualTypeOf<
      { tenant: string } | string[] | null
    >();
  });

  it("is looked up under another key where the reducer has one", () => {
    const other = new MessageReducer({ namespaceKey: "tenant" });
    const configurable = { tenant: ["acme"], memory_namespace: ["other"], thread_id: "t" };
    expect(memoryNamespace(other, { configurable })).toEqual(["acme"]);
  });

  it.each([
    [{ thread_id: "t1" }, ["memories", "t1"]],
    [{ thread_id: 42 }, ["memories", "42"]],
    [{ thread_id: "a.b:c" }, ["memories", "a.b:c"]],
    [{ thread_id: "t1", memory_namespace: null }, ["memories", "t1"]],
    [{ thread_id: "t1", memory_namespace: undefined }, ["memories", "t1"]],
    [{ thread_id: "" }, null],
    [{}, null],
  ])("is the thread's own for %j", (configurable, expected) => {
    expect(memoryNamespace(reducer, { configurable })).toEqual(expected);
  });

  it("is null without a config", () => {
    expect(memoryNamespace(reducer, undefined)).toBeNull();
    expect(memoryNamespace(reducer, {})).toBeNull();
  });

  it("is no property that every object has", () => {
    const odd = new MessageReducer({ namespaceKey: "constructor" });
    expect(memoryNamespace(odd, { configurable: { thread_id: "t" } })).toEqual(["memories", "t"]);
  });
});

describe("conversationOf", () => {
  it("is the thread id at the root of a graph", () => {
    expect(conversationOf({ configurable: { thread_id: "t1", checkpoint_ns: "" } })).toBe("t1");
    expect(conversationOf({ configurable: { checkpoint_ns: "" } })).toBeUndefined();
    expect(conversationOf(undefined)).toBeUndefined();
  });

  it("is another for every pair of thread and checkpoint namespace", () => {
    const text = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('["a"]', '["a","b"]', "[", "a|b", '"', "a"),
    );
    const pair = fc.tuple(text, fc.oneof(fc.constant(""), text));
    const nameOf = ([thread_id, checkpoint_ns]: [string, string]) =>
      conversationOf({ configurable: { thread_id, checkpoint_ns } });
    fc.assert(
      fc.property(pair, pair, (one, other) => {
        expect(nameOf(one) === nameOf(other)).toBe(one[0] === other[0] && one[1] === other[1]);
      }),
      {
        numRuns: 500,
        examples: [
          [
            ["a", "b"],
            ['["a","b"]', ""],
          ],
          [
            ["a", ""],
            ['["a"]', ""],
          ],
        ],
      },
    );
  });
});
