import "../../seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeRecords } from "../../../src/memory/merge.ts";

describe("mergeRecords", () => {
  it("replaces, adds and removes fields", () => {
    const record = { name: "Asha", age: 60, seat: "aisle" };
    expect(mergeRecords(record, { age: 61, seat: null, city: "Porto" })).toEqual({
      name: "Asha",
      age: 61,
      city: "Porto",
    });
    expect(record).toEqual({ name: "Asha", age: 60, seat: "aisle" });
  });

  it("merges objects within, and replaces arrays whole", () => {
    const record = { likes: { tea: true, seats: ["aisle", "front"] }, tags: [1, 2] };
    expect(mergeRecords(record, { likes: { tea: null, coffee: true }, tags: [3] })).toEqual({
      likes: { seats: ["aisle", "front"], coffee: true },
      tags: [3],
    });
  });

  it("puts an object in the place of something else, without its nulls", () => {
    expect(mergeRecords({ home: "Porto" }, { home: { city: "Lisbon", street: null } })).toEqual({
      home: { city: "Lisbon" },
    });
  });

  it("keeps null where the schema asks for it", () => {
    const keeps = (path: readonly string[]): boolean => path.join(".") === "trip.end";
    expect(
      mergeRecords({ trip: { end: "May", via: "Rome" } }, { trip: { end: null, via: null } }, keeps),
    ).toEqual({
      trip: { end: null },
    });
  });

  it("reaches no prototype", () => {
    const patch = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');
    const merged = mergeRecords({}, patch);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Object.keys(merged)).toEqual(["constructor"]);
    expect(Object({}).isAdmin).toBeUndefined();
  });

  it("is settled after one application, and an empty patch changes nothing", () => {
    const records = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(records, records, (record, patch) => {
        const once = mergeRecords(record, patch);
        expect(mergeRecords(once, patch)).toEqual(once);
        expect(mergeRecords(once, {})).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});
