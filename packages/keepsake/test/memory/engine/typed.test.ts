import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Consolidator, Fact } from "../../../src/memory/types.ts";
import { asha, type Kit, kit } from "./engine-kit.ts";

const schema = {
  Profile: z.object({ name: z.string(), age: z.number().optional(), seat: z.string().optional() }),
};

const updateNearest: Consolidator = (proposals) =>
  proposals.map(({ nearest }, fact) => ({ fact, action: "update", target: nearest[0]?.key }));

function profiles(...contents: unknown[]): Kit {
  const facts: Fact[] = contents.map((content) => ({
    ...{ kind: "Profile", subject: "Asha", attribute: "profile" },
    content,
  }));
  return kit({ schema, extractor: () => facts.splice(0, 1), consolidator: updateNearest });
}

describe("typed memories", () => {
  it("are stored under the name of their schema", async () => {
    const { engine } = profiles({ name: "Asha", age: 60 });
    const [record] = await engine.remember("x", asha);
    expect(record).toMatchObject({ kind: "Profile", content: { name: "Asha", age: 60 } });
  });

  it("are merged field by field; null removes a field", async () => {
    const { engine } = kit({
      schema,
      extractor: ([said]) => [
        {
          kind: "Profile",
          subject: "Asha",
          attribute: "profile",
          content: { name: "Asha", age: Number(said?.text) },
        },
      ],
      consolidator: ([proposal]) => [
        { fact: 0, action: "update", target: proposal?.nearest[0]?.key, content: { age: 61, seat: null } },
      ],
    });
    await engine.remember("60", asha);
    const [first] = await engine.list(asha);
    await engine.remember("61", asha);
    expect(await engine.list(asha)).toMatchObject([{ key: first?.key, content: { name: "Asha", age: 61 } }]);
    expect((await engine.history(asha, first?.key ?? "")).map(({ content }) => content)).toEqual([
      { name: "Asha", age: 61 },
      { name: "Asha", age: 60 },
    ]);
  });

  it("that do not follow their schema are refused and reported", async () => {
    const { engine, events } = profiles({ name: 7 });
    expect(await engine.remember("x", asha)).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "fact_refused", reason: expect.stringMatching(/Profile/) }),
    );
  });

  it("a change after which they would not follow it is refused; the fact is kept apart", async () => {
    const { engine, events, contents } = kit({
      schema,
      extractor: ([said]) => [
        {
          kind: "Profile",
          subject: "Asha",
          attribute: "profile",
          content: { name: "Asha", seat: said?.text },
        },
      ],
      consolidator: ([proposal]) => [
        { fact: 0, action: "update", target: proposal?.nearest[0]?.key, content: { name: null } },
      ],
    });
    await engine.remember("window", asha);
    await engine.remember("aisle", asha);
    expect(await contents()).toHaveLength(2);
    expect(events).toContainEqual(expect.objectContaining({ type: "decision_refused" }));
  });

  it("langmem's text keeps its shape when it is changed", async () => {
    const { engine, store } = kit({ config: { consolidationThreshold: 0.001 }, consolidator: updateNearest });
    await store.put(asha, "k", { kind: "Memory", content: { content: "Asha lives in Lisbon" } });
    await engine.remember("Asha lives in Porto", asha);
    expect((await store.get(asha, "k"))?.value).toMatchObject({
      kind: "Memory",
      content: { content: "Asha lives in Porto" },
    });
  });
});
