import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { namespaceLabels, namespaceTemplate, reservedRoot } from "../../src/store/index.ts";

function filled(template: string | readonly string[], values: Readonly<Record<string, unknown>> = {}) {
  return namespaceTemplate(template).fill((name) => values[name]);
}

describe("a namespace as it is written", () => {
  test.each<[string | string[], string[]]>([
    [
      ["memories", "asha"],
      ["memories", "asha"],
    ],
    ["memories", ["memories"]],
    ["memories/asha", ["memories/asha"]],
    ["/memories/asha", ["memories", "asha"]],
    [["/memories/asha"], ["/memories/asha"]],
    ["/users/{id}/notes", ["users", "{id}", "notes"]],
  ])("%j has the labels %j", (written, labels) => {
    expect(namespaceLabels(written)).toEqual(labels);
    expect(namespaceTemplate(written).labels).toEqual(labels);
  });

  test.each<[unknown, RegExp]>([
    [[], /no labels/],
    ["", /empty label/],
    ["/", /empty label/],
    ["/memories/", /empty label/],
    ["/memories//asha", /empty label/],
    [["memories", ""], /empty label/],
    [["memories", 5], /a string or an array of strings/],
    [undefined, /a string or an array of strings/],
    [["memories", "{userId"], /a brace that belongs to no placeholder/],
    [["memories", "userId}"], /a brace that belongs to no placeholder/],
    [["memories", "{}"], /a brace that belongs to no placeholder/],
    [["memories", "{{userId}}"], /a brace that belongs to no placeholder/],
  ])("%j is refused at once", (written, message) => {
    const make = () => namespaceTemplate(written as string);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: "invalid_config" }));
  });
});

describe("placeholders", () => {
  test.each<[string | string[], Record<string, unknown>, string[]]>([
    [["memories", "{userId}"], { userId: "asha" }, ["memories", "asha"]],
    [
      ["memories", "user-{userId}", "{kind}s"],
      { userId: "asha", kind: "note" },
      ["memories", "user-asha", "notes"],
    ],
    [["{org}:{team}"], { org: "acme", team: "blue" }, ["acme:blue"]],
    [["memories", "{userId}"], { userId: 42 }, ["memories", "42"]],
    [["memories", "{userId}"], { userId: 9007199254740993n }, ["memories", "9007199254740993"]],
    [
      ["memories", "{scope}", "notes"],
      { scope: ["org", 7, "asha"] },
      ["memories", "org", "7", "asha", "notes"],
    ],
    ["/users/{id}", { id: "a/b" }, ["users", "a/b"]],
    [["memories", "{userId}"], { userId: "{other}" }, ["memories", "{other}"]],
    [["memories", "{user id}"], { "user id": "asha" }, ["memories", "asha"]],
  ])("%o with %o", (template, values, namespace) => {
    expect(filled(template, values)).toEqual(namespace);
  });

  it("are named, each once", () => {
    expect(namespaceTemplate(["{a}", "{b}-{a}", "c"]).placeholders).toEqual(["a", "b"]);
  });

  test.each<[string, unknown, RegExp]>([
    ["missing", undefined, /it is missing/],
    ["null", null, /it is null/],
    ["an empty string", "", /it is an empty string/],
    ["an object", { id: "asha" }, /it is of type object/],
    ["true", true, /it is of type boolean/],
    ["a function", () => "asha", /it is of type function/],
    ["a symbol", Symbol("asha"), /it is of type symbol/],
    ["NaN", Number.NaN, /not a finite number/],
    ["infinite", Number.POSITIVE_INFINITY, /not a finite number/],
    ["a number that another id shares", 2 ** 53, /too large to be exact/],
    ["an empty array", [], /it is an empty array/],
    ["an array with a hole", ["asha", undefined], /it is missing/],
    ["an array of arrays", [["asha"]], /it is an array/],
    ["a NUL character", "as\0ha", /a character that databases cannot keep/],
    ["half of a surrogate pair", "\ud800", /a character that databases cannot keep/],
  ])("refuse %s", (_, value, message) => {
    const fill = () => filled(["memories", "{userId}"], { userId: value });
    expect(fill).toThrow(message);
    expect(fill).toThrow(expect.objectContaining({ code: "missing_namespace_value" }));
    expect(fill).toThrow(/\{userId\}/);
  });

  it("take no array inside a longer label", () => {
    expect(() => filled(["memories", "user-{userId}"], { userId: ["asha"] })).toThrow(/it is an array/);
  });

  it("lead under keepsake's own root by no value", () => {
    expect(() => filled(["{userId}", "notes"], { userId: reservedRoot })).toThrow(
      /keepsake keeps for itself/,
    );
    expect(() => filled(["{scope}"], { scope: [reservedRoot, "history"] })).toThrow(
      /keepsake keeps for itself/,
    );
    expect(filled(["memories", "{userId}"], { userId: reservedRoot })).toEqual(["memories", reservedRoot]);
  });

  it("repeat no value in a message", () => {
    const secret = "secret-4711";
    for (const value of [`${secret}\0`, secret.repeat(300), { secret }, [[secret]]]) {
      const fill = () => filled(["memories", "{userId}"], { userId: value });
      expect(fill).toThrow();
      expect(fill).not.toThrow(/secret/);
    }
  });

  it("give different users different namespaces, whatever their ids are", () => {
    const ids = fc.oneof(fc.string({ minLength: 1 }), fc.bigInt(), fc.integer());
    fc.assert(
      fc.property(ids, ids, (left, right) => {
        const of = (userId: unknown) => filled("/memories/{userId}/notes", { userId });
        expect(of(left)).toHaveLength(3);
        expect(JSON.stringify(of(left)) === JSON.stringify(of(right))).toBe(String(left) === String(right));
      }),
      { numRuns: 300 },
    );
  });
});
