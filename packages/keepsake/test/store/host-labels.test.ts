import { InMemoryStore as LangGraphStore } from "@langchain/langgraph";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { InMemoryStore, isKeepsakeStore, labelsForHost, labelsFromHost } from "../../src/store/index.ts";

const langGraph = new LangGraphStore();
// Never connects.
const postgres = new PostgresStore({ connectionOptions: "postgres://localhost:1/none", ensureTables: false });

describe("labels towards stores that are not keepsake's", () => {
  test.each([
    ["a.b", "a=2eb", "a=2eb"],
    ["asha@example.org", "asha@example=2eorg", "asha@example=2eorg"],
    ["user:42", "user=3a42", "user=3a42"],
    ["user_42", "user_42", "user=5f42"],
    ["100%", "100%", "100=25"],
    ["a\\b", "a\\b", "a=5cb"],
    ["a=2eb", "a=3d2eb", "a=3d2eb"],
    ["YWJj==", "YWJj==", "YWJj=="],
    ["plain-label", "plain-label", "plain-label"],
    ["/a/b", "/a/b", "/a/b"],
  ])("%s becomes %s, and for Postgres %s", (label, inMemory, inPostgres) => {
    expect(labelsForHost(langGraph, ["memories", label])).toEqual(["memories", inMemory]);
    expect(labelsForHost(postgres, ["memories", label])).toEqual(["memories", inPostgres]);
    expect(labelsForHost(new InMemoryStore(), ["memories", label])).toEqual(["memories", label]);
  });

  it("give the root that LangGraph reserves another spelling", () => {
    expect(labelsForHost(langGraph, ["langgraph", "langgraph"])).toEqual(["=6canggraph", "langgraph"]);
    expect(labelsFromHost(langGraph, ["=6canggraph", "langgraph"])).toEqual(["langgraph", "langgraph"]);
  });

  it("come back as they were, and no two become one", () => {
    const label = fc.string({
      unit: fc.constantFrom(..."abef0259.:_%\\=-/ é"),
      minLength: 1,
      maxLength: 12,
    });
    const labels = fc.array(fc.oneof(label, fc.constant("langgraph")), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(langGraph, postgres), labels, (store, namespace) => {
        expect(labelsFromHost(store, labelsForHost(store, namespace))).toEqual(namespace);
      }),
      { numRuns: 1000 },
    );
  });

  it("are taken by LangGraph's store", async () => {
    const label = fc.string({ unit: fc.constantFrom(..."ab.:_%\\=/"), minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(label, { minLength: 1, maxLength: 3 }), async (namespace) => {
        const written = labelsForHost(langGraph, namespace);
        await langGraph.put(written, "key", { content: "x" });
        expect(await langGraph.get(written, "key")).not.toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});

it("keepsake's stores are told from others", () => {
  expect(isKeepsakeStore(new InMemoryStore())).toBe(true);
  for (const other of [langGraph, postgres, {}, null, undefined, "store"])
    expect(isKeepsakeStore(other)).toBe(false);
});
