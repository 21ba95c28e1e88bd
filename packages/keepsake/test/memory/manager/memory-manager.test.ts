import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ManagerEvent } from "../../../src/memory/manager/memory-manager.ts";
import {
  createMemoryManager,
  type MemoryManagerOptions,
} from "../../../src/memory/manager/memory-manager.ts";
import { insert, nothing, quiet, remove, said, scriptedModel, update } from "./scripted-model.ts";

const Profile = z.object({
  name: z.string(),
  age: z.number().optional(),
  seat: z.string().nullable(),
  tags: z.array(z.string()).default([]),
});
const asha = { name: "Asha", age: 60, seat: "aisle", tags: ["tea"] };
const turn = said("I'm 61 now.");

function managerOf(replies: unknown[], options: MemoryManagerOptions = {}) {
  const model = scriptedModel(...replies);
  const events: ManagerEvent[] = [];
  const manager = createMemoryManager(model, {
    logger: quiet,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const failures = () => events.flatMap((event) => (event.type === "failed" ? [event.problem] : []));
  return { manager, model, events, failures };
}

describe("createMemoryManager", () => {
  it("inserts what is new, by a kind and an id", async () => {
    const { manager } = managerOf([insert("Memory", { content: "Asha likes tea." })]);
    const [memory] = await manager.invoke({ messages: said("I like tea. I'm Asha.") });
    expect(memory).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: "Memory",
      content: { content: "Asha likes tea." },
    });
  });

  it("can be called", async () => {
    const { manager } = managerOf([nothing]);
    expect(await manager(said("Hi!"), ["Likes tea."])).toMatchObject([
      { content: { content: "Likes tea." } },
    ]);
  });

  it("merges updates field by field, and returns touched memories first, the others as they were", async () => {
    const { manager } = managerOf([update("m2", { age: 61, tags: ["coffee"] })], { schemas: { Profile } });
    const other = { note: "an app's own" };
    const result = await manager.invoke({
      messages: turn,
      existing: [
        ["a", "Note", other],
        ["b", "Profile", asha],
      ],
    });
    expect(result).toEqual([
      { id: "b", kind: "Profile", content: { name: "Asha", age: 61, seat: "aisle", tags: ["coffee"] } },
      { id: "a", kind: "Note", content: other },
    ]);
    expect(asha.age).toBe(60);
  });

  it("lets null delete optional fields, empty nullable ones and reset defaulted ones", async () => {
    const { manager } = managerOf([update("m1", { age: null, seat: null, tags: null })], {
      schemas: { Profile },
    });
    const [memory] = await manager.invoke({ messages: turn, existing: [["b", asha]] });
    expect(memory).toEqual({ id: "b", kind: "Profile", content: { name: "Asha", seat: null, tags: [] } });
  });

  it("fills in defaults", async () => {
    const { manager } = managerOf([insert("Profile", { name: "Ben", seat: null })], { schemas: { Profile } });
    expect(await manager(turn)).toMatchObject([{ content: { name: "Ben", seat: null, tags: [] } }]);
  });

  it("keeps fields that the schema does not know", async () => {
    const { manager } = managerOf([update("m1", { age: 61 })], { schemas: { Profile } });
    const [memory] = await manager(turn, [["b", "Profile", { ...asha, since: 1999 }]]);
    expect(memory?.content).toEqual({ ...asha, age: 61, since: 1999 });
  });

  it("reports removals as RemoveDoc, and those of its own inserts not at all", async () => {
    const { manager } = managerOf(
      [{ actions: [insertion("Likes tea."), { action: "delete", id: "m1" }] }, remove("m2"), nothing],
      { enableDeletes: true },
    );
    const result = await manager.invoke({
      messages: turn,
      existing: [["old", "Likes coffee."]],
      maxSteps: 3,
    });
    expect(result).toEqual([{ id: "old", kind: "RemoveDoc", content: { json_doc_id: "old" } }]);
  });

  it("takes its own results back, removals among them", async () => {
    const { manager, model } = managerOf([nothing]);
    const memories = [
      { id: "a", kind: "Memory", content: { content: "Likes tea." } },
      { id: "b", kind: "RemoveDoc", content: { json_doc_id: "b" } },
    ];
    expect(await manager.invoke({ messages: turn, existing: memories })).toEqual(memories.slice(0, 1));
    expect(model.requests[0]?.prompt).not.toContain("RemoveDoc");
  });

  it("takes items of a store, the memory tools' too", async () => {
    const { manager } = managerOf([update("m1", { content: "Likes coffee." })]);
    const result = await manager.invoke({
      messages: turn,
      existing: [
        { key: "t", value: { content: "Likes tea." } },
        { key: "l", value: { kind: "Memory", content: { content: "Is Asha." } } },
      ],
    });
    expect(result).toEqual([
      { id: "t", kind: "memory", content: "Likes coffee." },
      { id: "l", kind: "Memory", content: { content: "Is Asha." } },
    ]);
  });

  it("shows the kinds with their fields, the labels, and who spoke", async () => {
    const { manager, model } = managerOf([nothing], { schemas: { Profile }, instructions: "Keep seats." });
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", name: "Ben", content: "Aisle, <please>." },
      { role: "assistant", content: "Your code is QX7." },
    ];
    await manager.invoke({ messages, existing: [["very-long-id", "Profile", asha]] });
    const [request] = model.requests;
    expect(request?.system).toContain("Keep seats.");
    expect(request?.prompt).toContain('{"from":"user","name":"Ben","text":"Aisle, \\u003cplease>."}');
    expect(request?.prompt).toContain('{"from":"assistant","text":"Your code is QX7."}');
    expect(request?.prompt).not.toContain("Be brief.");
    expect(request?.prompt).not.toContain("very-long-id");
    expect(JSON.stringify(request?.schema)).toContain('"enum":["m1"]');
    expect(JSON.stringify(request?.schema)).toContain('"seat"');
    expect(JSON.stringify(request?.schema)).not.toContain('"delete"');
  });

  it("reads a text among the messages as a user's, as remember does", async () => {
    const { manager, model } = managerOf([nothing]);
    await manager.invoke({ messages: ["Aisle, please.", { role: "assistant", content: "Noted." }] });
    expect(model.requests[0]?.prompt).toContain('{"from":"user","text":"Aisle, please."}');
    expect(model.requests[0]?.prompt).toContain('{"from":"assistant","text":"Noted."}');
  });

  it("keeps the definitions of two schemas apart", async () => {
    const Tree = z.object({
      get children() {
        return z.array(Tree);
      },
    });
    const place = (title: string) => ({
      type: "object",
      properties: { at: { $ref: "#/$defs/Place" } },
      $defs: { Place: { type: "object", title } },
    });
    const { manager, model } = managerOf([nothing], { schemas: { A: place("one"), B: place("two"), Tree } });
    await manager(turn);
    const { $defs } = Object(model.requests[0]?.schema);
    expect([$defs["A.Place"], $defs["B.Place"]]).toMatchObject([{ title: "one" }, { title: "two" }]);
    const text = JSON.stringify(model.requests[0]?.schema);
    const references = [...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name);
    expect(references).toContain("Tree");
    for (const name of references) expect(Object.keys($defs)).toContain(name);
  });

  it("does not insert what is there already, however it is written", async () => {
    const { manager } = managerOf([insert("Memory", { content: "likes  TEA." })]);
    expect(await manager(turn, ["Likes tea."])).toHaveLength(1);
  });

  it("does not extract what it recalled itself", async () => {
    const { manager, model } = managerOf([]);
    const messages = [
      { role: "user", content: "<recalled_memories>\n- [2026] Likes tea.\n</recalled_memories>" },
    ];
    expect(await manager(messages)).toEqual([]);
    expect(model.requests).toEqual([]);
  });
});

describe("a model that errs", () => {
  it.each([
    [
      "fences",
      '```json\n{"actions":[{"action":"insert","kind":"Memory","content":{"content":"Likes tea."}}]}\n```',
    ],
    [
      "prose",
      'Sure {not json}: {"actions":[{"action":"insert","kind":"Memory","content":{"content":"Likes tea."}}]} done',
    ],
    ["a bare list", [insertion("Likes tea.")]],
    ["a bare text", insert("Memory", "Likes tea.")],
    ["no kind", { actions: [{ action: "create", content: { content: "Likes tea." } }] }],
    ["content as JSON text", insert("Memory", '{"content":"Likes tea."}')],
    [
      "a lone surrogate",
      '{"actions":[{"action":"insert","kind":"Memory","content":{"content":"Likes tea."},"x":"\\ud800"}]}',
    ],
  ])("is understood with %s", async (_, reply) => {
    const { manager, model } = managerOf([reply]);
    expect(await manager(turn)).toMatchObject([{ content: { content: "Likes tea." } }]);
    expect(model.requests).toHaveLength(1);
  });

  it("is shown what was wrong, once, and the rest of its answer stands", async () => {
    const { manager, model, failures } = managerOf(
      [
        { actions: [insertionOf({ name: "Ben", seat: null }), insertionOf({ name: 5 })] },
        insert("Profile", { name: "Cem", seat: null }),
      ],
      { schemas: { Profile } },
    );
    expect(await manager(turn)).toMatchObject([{ content: { name: "Ben" } }, { content: { name: "Cem" } }]);
    expect(model.requests[1]?.prompt).toMatch(/could not be carried out:.*name: .*string/s);
    expect(failures()).toEqual([]);
  });

  it("is reported where it fails again", async () => {
    const wrong = insert("Profile", { name: 5 });
    const { manager, failures } = managerOf([wrong, wrong], { schemas: { Profile } });
    expect(await manager(turn)).toEqual([]);
    expect(failures()).toEqual([expect.stringContaining("name: ")]);
  });

  it("is asked again where the answer breaks off", async () => {
    const cut =
      '{"actions":[{"action":"insert","kind":"Memory","content":{"content":"Likes tea."}},{"action":"ins';
    const { manager, model } = managerOf([cut, insert("Memory", { content: "Is Asha." })]);
    expect(await manager(turn)).toHaveLength(2);
    expect(model.requests[1]?.prompt).toContain("broke off");
  });

  it.each([
    ["a refusal", "I cannot help with that."],
    ["another object", { facts: [] }],
    ["nothing", ""],
  ])("throws a typed error after %s, twice", async (_, reply) => {
    const { manager, model } = managerOf([reply, reply]);
    await expect(manager(turn)).rejects.toMatchObject({ code: "extraction_failed" });
    expect(model.requests).toHaveLength(2);
  });

  it("lets the provider's error through after one call, with memories as without", async () => {
    const { manager, model } = managerOf([new Error("overloaded"), new Error("overloaded")]);
    await expect(manager(turn, ["Likes tea."])).rejects.toThrow("overloaded");
    expect(model.requests).toHaveLength(1);
  });

  it("never reaches a memory that it was not shown: an update of one is inserted, or reported", async () => {
    const lost = update("m7", { content: "Likes tea." });
    const { manager } = managerOf([lost, lost]);
    expect(await manager(turn, ["Is Asha."])).toMatchObject([
      { kind: "Memory", content: { content: "Likes tea." } },
      { content: { content: "Is Asha." } },
    ]);
    const without = managerOf([lost, lost], { enableInserts: false });
    expect(await without.manager(turn, ["Is Asha."])).toMatchObject([{ content: { content: "Is Asha." } }]);
    expect(without.failures()).toEqual(['there is no memory "m7"']);
  });
});

describe("what langmem does wrong", () => {
  it("respects enableInserts: false where nothing exists, without a call", async () => {
    const { manager, model } = managerOf([], { enableInserts: false });
    expect(await manager(turn)).toEqual([]);
    expect(model.requests).toEqual([]);
  });

  it("permits nothing that is disabled, whatever the model answers", async () => {
    const { manager, failures } = managerOf([remove("m1"), remove("m1")]);
    expect(await manager(turn, ["Is Asha."])).toHaveLength(1);
    expect(failures()).toEqual(['the action "delete" is not permitted']);
  });

  it("refuses to be made with everything disabled", () => {
    const off = { enableInserts: false, enableUpdates: false, enableDeletes: false };
    expect(() => createMemoryManager(scriptedModel(), off)).toThrow(/at least one of/);
  });

  it("takes texts as existing memories beside a schema without content", async () => {
    const { manager } = managerOf([nothing], { schemas: { Profile } });
    expect(await manager(turn, ["Likes tea."])).toMatchObject([
      { kind: "Memory", content: { content: "Likes tea." } },
    ]);
  });

  it("goes on for several steps over memories that are plain objects", async () => {
    const { manager, model } = managerOf(
      [
        update("m1", { age: 61 }),
        { actions: [{ action: "update", id: "m1", content: { seat: "window" } }], done: true },
      ],
      { schemas: { Profile } },
    );
    const [memory] = await manager.invoke({ messages: turn, existing: [["b", asha]], maxSteps: 5 });
    expect(memory?.content).toMatchObject({ age: 61, seat: "window" });
    expect(model.requests[1]?.prompt).toContain("updated m1");
  });

  it("patches a memory of a kind that it does not know", async () => {
    const { manager } = managerOf([update("m1", { place: "Porto" })], { schemas: { Profile } });
    expect(await manager(turn, [["x", "Trip", { place: "Rome" }]])).toEqual([
      { id: "x", kind: "Trip", content: { place: "Porto" } },
    ]);
  });

  it("forces nothing: small talk changes nothing", async () => {
    const { manager, failures } = managerOf([nothing]);
    expect(await manager(said("Hi!"), ["Is Asha."])).toHaveLength(1);
    expect(failures()).toEqual([]);
  });
});

describe("what cannot be read", () => {
  it.each([
    ["no messages", { messages: undefined }, /given \{ messages \}/],
    ["a message that is null", { messages: [null, "hi"] }, /takes a text, a message/],
    ["a message that is a list", { messages: [["user", "hi"]] }, /takes a text, a message/],
    ["steps that are none", { messages: [], maxSteps: 0 }, /maxSteps/],
    ["existing that is no list", { messages: [], existing: {} }, /must be a list/],
    ["existing that is a number", { messages: [], existing: [5] }, /a memory is a text/],
    [
      "one id twice",
      {
        messages: [],
        existing: [
          ["a", {}],
          ["a", {}],
        ],
      },
      /two memories have the id "a"/,
    ],
    ["an id that is none", { messages: [], existing: [[5, {}]] }, /an id is a string/],
  ])("is refused: %s", async (_, input, message) => {
    const { manager } = managerOf([]);
    await expect(manager.invoke(input as never)).rejects.toThrow(message);
  });
});

function insertion(content: string): unknown {
  return { action: "insert", kind: "Memory", content: { content } };
}

function insertionOf(content: unknown): unknown {
  return { action: "insert", kind: "Profile", content };
}
