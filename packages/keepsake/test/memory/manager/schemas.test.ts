import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memorySchemas } from "../../../src/memory/schemas.ts";

const profile = z.object({ name: z.string(), age: z.number().nullable(), seat: z.string().nullish() });

const names = (given: unknown): string[] => memorySchemas(given).map(({ name }) => name);

describe("memorySchemas", () => {
  it("takes names from the keys of an object", () => {
    expect(names({ Profile: profile, Trip: { type: "object", properties: {} } })).toEqual([
      "Profile",
      "Trip",
    ]);
  });

  it("takes names from the titles of a list, or of one schema", () => {
    expect(names([profile.meta({ title: "Profile" }), { title: "Trip", type: "object" }])).toEqual([
      "Profile",
      "Trip",
    ]);
    expect(names(profile.meta({ title: "Profile" }))).toEqual(["Profile"]);
  });

  it.each([
    ["no schemas", [], /there is none/],
    ["no schemas by name", {}, /there is none/],
    ["a schema without a name", [profile], /has no name.*\{ Profile: schema \}/s],
    [
      "two of one name",
      [
        { title: "A", type: "object" },
        { title: "A", type: "object" },
      ],
      /two schemas have the name "A"/,
    ],
    ["a kind of the engine", { memory: profile }, /is taken/],
    ["a text", { Note: z.string() }, /describes no object/],
    ["no schema", { Note: 5 }, /"Note" is no schema/],
    ["a name with a space", { "My note": profile }, /is none/],
    ["a number", 5, /object of schemas by name/],
  ])("refuses %s", (_, given, message) => {
    expect(() => memorySchemas(given)).toThrow(message);
  });

  it("knows which fields may be set to null", () => {
    const [schema] = memorySchemas({ Profile: z.object({ home: profile, ...profile.shape }) });
    expect(["name", "age", "seat"].filter((field) => schema?.keepsNull([field]))).toEqual(["age"]);
    expect(schema?.keepsNull(["home", "age"])).toBe(true);
    expect(schema?.keepsNull(["home", "seat"])).toBe(false);
    expect(schema?.keepsNull(["nowhere", "age"])).toBe(false);
  });
});
