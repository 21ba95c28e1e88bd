import { describe, expect, test } from "vitest";
import { valueFromJson, valueToJson } from "../../src/store/value.ts";

describe("a value that cannot be stored", () => {
  const cyclic: Record<string, unknown> = { list: [{}] };
  cyclic.list = [{ back: cyclic }];
  test.each<[what: string, value: unknown, message: RegExp]>([
    ["a cycle", cyclic, /contains itself at "list\[0\]\.back"/],
    ["NaN", { a: { b: [1, Number.NaN] } }, /holds NaN at "a\.b\[1\]"/],
    ["a bigint", { n: 5n }, /holds a bigint at "n"/],
    ["a function", { f: () => 1 }, /holds a function at "f"/],
    ["a Map", { m: new Map() }, /holds a Map at "m"/],
    ["an array", [1], /A value is an object .* not an array/],
    ["null", null, /not null/],
    ["a Map itself", new Map(), /holds a Map at its root/],
    ["a toJSON that gives no object", { toJSON: () => 5 }, /toJSON gives 5/],
  ])("%s: the message says what and where", (_, value, message) => {
    expect(() => valueToJson(value)).toThrow(
      expect.objectContaining({ code: "invalid_value", message: expect.stringMatching(message) }),
    );
  });

  test("what its getters throw is the cause", () => {
    const cause = new Error("not now");
    const value = {
      get content(): string {
        throw cause;
      },
    };
    expect(() => valueToJson(value)).toThrow(
      expect.objectContaining({ code: "invalid_value", cause, message: expect.stringContaining("not now") }),
    );
  });

  test("deep nesting is refused, before the stack overflows", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(() => valueToJson({ deep })).toThrow(/nested deeper than 200 levels/);
  });
});

test("the same object in two places is no cycle", () => {
  const shared = { n: 1 };
  expect(valueFromJson(valueToJson({ a: shared, b: [shared, shared] }))).toEqual({
    a: { n: 1 },
    b: [{ n: 1 }, { n: 1 }],
  });
});

test("class instances are stored by their own properties, getters aside, or by their toJSON", () => {
  class Message {
    content = "tea";
    get length(): number {
      return this.content.length;
    }
  }
  class Custom {
    toJSON(): unknown {
      return { custom: true };
    }
  }
  expect(valueFromJson(valueToJson({ message: new Message(), custom: new Custom() }))).toEqual({
    message: { content: "tea" },
    custom: { custom: true },
  });
});
