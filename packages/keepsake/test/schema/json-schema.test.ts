import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { schemaProblems, withDefaults } from "../../src/schema/json-schema.ts";

const recursive = z.object({
  name: z.string(),
  get children() {
    return z.array(recursive).optional();
  },
});

const schemas = {
  text: z.string().min(2).max(4),
  count: z.number().int().min(1).max(5),
  more: z.number().gt(1).lt(3),
  flag: z.boolean(),
  choice: z.enum(["a", "b"]),
  literal: z.literal(7),
  list: z
    .array(z.union([z.string(), z.null()]))
    .min(1)
    .max(3),
  pair: z.object({ a: z.string(), b: z.number().nullable().optional() }),
  strict: z.strictObject({ a: z.string().optional() }),
  map: z.record(z.string(), z.number()),
  either: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
  both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
  recursive,
};

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 2.5, 5, 6, 7, -1, "", "a", "b", "abc", "abcde"),
  fc.jsonValue({ maxDepth: 1 }),
);
const values = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom("a", "b", "c", "name"), leaf),
  fc.record({ name: fc.string(), children: fc.array(fc.record({ name: leaf }), { maxLength: 2 }) }),
);

test.each(Object.entries(schemas))("agrees with zod on %s", (_, schema) => {
  const jsonSchema = Object(z.toJSONSchema(schema, { io: "input" }));
  fc.assert(
    fc.property(values, (value) => {
      const problems = schemaProblems(jsonSchema, value);
      expect(problems.length === 0, problems.join()).toBe(schema.safeParse(value).success);
    }),
    { numRuns: 400 },
  );
});

describe("problems", () => {
  test.each<[object, unknown, string[]]>([
    [{ type: "string" }, 5, ["must be a string, not 5"]],
    [{ type: ["integer", "null"] }, "x", ['must be an integer or null, not "x"']],
    [{ enum: ["a", 1] }, "b", ['must be "a" or 1, not "b"']],
    [{ type: "array", items: { type: "string" } }, ["a", 1], ["[1]: must be a string, not 1"]],
    [
      { properties: { a: { properties: { b: { minimum: 3 } } } } },
      { a: { b: 1 } },
      ["a.b: must be at least 3"],
    ],
    [{ required: ["a", "b"] }, { a: 1 }, ["b: is missing"]],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, ["b: is unknown; known are a"]],
    [{ pattern: "^a" }, "b", ["must match ^a"]],
    [{ pattern: "(" }, "b", []],
    [{ $ref: "#/$defs/none" }, "b", []],
    [{ format: "email", unheardOf: true }, "b", []],
    [{ anyOf: [{ type: "null" }, { type: "object", required: ["a"] }] }, {}, ["a: is missing"]],
  ])("of %j with %j", (schema, value, problems) => {
    expect(schemaProblems(schema as never, value)).toEqual(problems);
  });

  it("end with a schema that refers to itself", () => {
    const schema = { $ref: "#", type: "string" };
    expect(schemaProblems(schema, 5).length).toBeGreaterThan(0);
    expect(withDefaults(schema, "a")).toBe("a");
  });
});

it("fills what has a default and is missing, inside arrays and variants too, in a copy", () => {
  const inner = { type: "object", properties: { n: { default: 1 } } };
  const schema = {
    type: "object",
    properties: {
      list: { items: { $ref: "#/$defs/inner" } },
      some: { anyOf: [{ type: "null" }, inner] },
      x: { default: [] },
    },
    $defs: { inner },
  };
  const given = { list: [{}, { n: 2 }], some: {} };
  expect(withDefaults(schema, given)).toEqual({ list: [{ n: 1 }, { n: 2 }], some: { n: 1 }, x: [] });
  expect(given).toEqual({ list: [{}, { n: 2 }], some: {} });
  expect(withDefaults(schema, given)).not.toBe(withDefaults(schema, given));
});
