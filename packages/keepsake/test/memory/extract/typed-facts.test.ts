import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contents, extractWith } from "./harness.ts";

const schemas = {
  Person: z.object({ name: z.string(), age: z.number().int().optional() }),
  Place: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};
const asha = { kind: "Person", content: { name: "Asha", age: 31 }, messages: ["m1"] };

describe("facts of the app's schemas", () => {
  test("are asked for by kind, and checked", async () => {
    const extraction = await extractWith(
      [{ facts: [asha, { kind: "Place", content: { city: "Oslo" }, importance: 0.2 }] }],
      { schemas },
    );
    expect(extraction.facts).toEqual([
      { kind: "Person", content: { name: "Asha", age: 31 }, role: "human", name: "Asha", messageIds: ["a"] },
      { kind: "Place", content: { city: "Oslo" }, importance: 0.2 },
    ]);
    const { schema } = Object(extraction.model.requests[0]);
    expect(schema.properties.facts.items.anyOf).toMatchObject([
      { properties: { kind: { enum: ["Person"] }, content: { required: ["name"] } } },
      { properties: { kind: { enum: ["Place"] }, content: { required: ["city"] } } },
    ]);
    expect(extraction.model.requests[0]?.system).toContain("a record of one of the kinds");
  });

  test("are told by their shape where the model names no kind, or writes them bare or as text", async () => {
    const extraction = await extractWith(
      [{ facts: [{ content: { city: "Oslo" } }, { city: "Bergen" }, { content: '{"name":"Ben"}' }] }],
      { schemas },
    );
    expect(contents(extraction)).toEqual([{ city: "Oslo" }, { city: "Bergen" }, { name: "Ben" }]);
    expect(extraction.calls).toHaveLength(1);
  });

  test("may hold lists with the names that lists of facts have", async () => {
    const list = { type: "object", properties: { items: { type: "array" } }, required: ["items"] };
    const content = { items: [{ content: "milk" }] };
    const extraction = await extractWith([JSON.stringify({ kind: "Shopping", content })], {
      schemas: { Shopping: list },
    });
    expect(contents(extraction)).toEqual([content]);
  });

  test("that fail go back with the reasons; then the right ones are kept, and the others told of", async () => {
    const wrong = { kind: "Person", content: { name: "Ben", age: "old" } };
    const extraction = await extractWith([{ facts: [asha, wrong] }, { facts: [wrong] }], { schemas });
    expect(contents(extraction)).toEqual([asha.content]);
    expect(extraction.model.requests[1]?.prompt).toMatch(/facts\[1\] is no Person \(age: /);
    expect(extraction.warnings[0]).toContain('"age":"old"');

    const mended = await extractWith(
      [{ facts: [asha, wrong] }, { facts: [{ kind: "Person", content: { name: "Ben" } }] }],
      {
        schemas,
      },
    );
    expect(contents(mended)).toEqual([asha.content, { name: "Ben" }]);
    expect(mended.warnings).toEqual([]);
  });

  test("of which none is right are an error", async () => {
    const wrong = { facts: [{ kind: "Person", content: { age: 3 } }] };
    const { error } = await extractWith([wrong, wrong], { schemas });
    expect(error).toMatchObject({
      code: "extraction_failed",
      message: expect.stringContaining("is no Person (name: "),
    });
  });

  test("may refer to definitions within their schema", async () => {
    const tree = {
      type: "object",
      properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
      required: ["label"],
      additionalProperties: false,
    };
    const extraction = await extractWith(
      [{ facts: [{ kind: "Tree", content: { label: "a", children: [{ label: "b" }] } }] }],
      {
        schemas: { Tree: tree },
      },
    );
    expect(contents(extraction)).toEqual([{ label: "a", children: [{ label: "b" }] }]);
    const { schema } = Object(extraction.model.requests[0]);
    expect(JSON.stringify(schema)).toContain('"#/properties/facts/items/properties/content"');
  });
});
