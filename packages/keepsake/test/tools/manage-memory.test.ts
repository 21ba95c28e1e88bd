import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { InMemoryStore } from "../../src/store/index.ts";
import { type MemoryAction, manageMemoryTool } from "../../src/tools/index.ts";
import { asha, bela, idIn, keepingLogger, managed, namespace } from "./harness.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

describe("the three actions", () => {
  it("creates, updates and deletes, and says so in the words that agents know", async () => {
    const { ask, items } = managed();
    const created = await ask({ content: "Prefers aisle seats." });
    expect(created).toMatch(new RegExp(`^created memory ${uuid.source}$`));
    const id = idIn(created);
    expect(await items()).toMatchObject([{ key: id, value: { content: "Prefers aisle seats." } }]);
    const updated = await ask({ action: "update", id, content: "Prefers window seats." });
    expect(updated).toBe(`updated memory ${id}`);
    expect(await items()).toMatchObject([{ key: id, value: { content: "Prefers window seats." } }]);
    expect(await ask({ action: "delete", id })).toBe(`Deleted memory ${id}`);
    expect(await items()).toEqual([]);
  });

  it("stores the content and nothing beside it", async () => {
    const { ask, items } = managed();
    await ask({ content: "One thing." });
    expect((await items())[0]?.value).toEqual({ content: "One thing." });
  });

  it("keeps the time of creation when it updates", async () => {
    let now = 1000;
    const store = new InMemoryStore({ now: () => now });
    const { ask } = managed({ store });
    const id = idIn(await ask({ content: "Old." }));
    now = 5000;
    await ask({ action: "update", id, content: "New." });
    const item = await store.get(["memories", "asha"], id);
    expect([item?.createdAt.getTime(), item?.updatedAt.getTime()]).toEqual([1000, 5000]);
  });

  it("replaces the content of what others wrote, and keeps what they wrote beside it", async () => {
    const { ask, store } = managed();
    const place = ["memories", "asha"];
    await store.put(place, "default", {
      kind: "Profile",
      content: { name: "Asha" },
      created_at: "2026-01-01",
    });
    expect(await ask({ action: "update", id: "default", content: "Asha, 30" })).toBe(
      "updated memory default",
    );
    const item = await store.get(place, "default");
    expect(item?.value).toEqual({ kind: "Profile", content: "Asha, 30", created_at: "2026-01-01" });
  });

  it("does not bring back what is deleted while it updates", async () => {
    const { store, ask } = managed();
    const place = ["memories", "asha"];
    await store.put(place, "seats", { content: "aisle" });
    const get = store.get.bind(store);
    let reads = 0;
    store.get = async (...where) => {
      const item = await get(...where);
      reads += 1;
      if (reads === 1) await store.delete(place, "seats");
      return item;
    };
    const answer = await ask({ action: "update", id: "seats", content: "window" });
    expect(answer).toMatch(/no memory with the id "seats".*Nothing was changed/);
    expect(await get(place, "seats")).toBeNull();
  });
});

describe("arguments that make no sense are answered, and nothing is written", () => {
  test.each([
    [{ content: "x", id: "some-id" }, /leave out the id; to change the memory "some-id".*"update"/],
    [
      { action: "update", content: "x" },
      /To update a memory, pass its id\..*ids that exist are: seats, work/,
    ],
    [{ action: "delete" }, /To delete a memory, pass its id/],
    [{ action: "update", id: "", content: "x" }, /To update a memory, pass its id/],
    [{ action: "update", id: "seats" }, /To update a memory, pass its content/],
    [{ action: "update", id: "seats", content: null }, /To update a memory, pass its content/],
    [{ action: "update", id: "seats", content: "  " }, /To update a memory, pass its content/],
    [{}, /To create a memory, pass its content/],
    [{ action: "merge", content: "x" }, /must be "create", "update" or "delete", not "merge"/],
    [{ content: { text: "x" } }, /does not fit its schema: must be a string, not {"text":"x"}/],
    [{ content: "x", id: { a: 1 } }, /id must be a string/],
    ["just text", /arguments must be an object/],
    [["a"], /arguments must be an object/],
  ])("%j", async (args, sentence) => {
    const { ask, store, items } = managed();
    await store.put(["memories", "asha"], "work", { content: "Works at night." });
    await store.put(["memories", "asha"], "seats", { content: "aisle" });
    const before = await items();
    const answer = await ask(args);
    expect(answer).toMatch(sentence);
    expect(answer).toMatch(/ Nothing was changed\.$/);
    expect(await items()).toEqual(before);
  });

  it("takes null and an empty id for left out, and JSON text for arguments", async () => {
    const { ask } = managed();
    expect(await ask({ action: null, id: null, content: "x" })).toMatch(/^created memory /);
    expect(await ask({ action: "create", id: "", content: "x" })).toMatch(/^created memory /);
    expect(await ask('{"content": "x"}')).toMatch(/^created memory /);
  });
});

describe("ids", () => {
  const ids = ["1f0c0000-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "1f0cffff-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "profile"];

  async function withIds() {
    const all = managed();
    for (const id of ids) await all.store.put(["memories", "asha"], id, { content: id });
    await all.store.put(["memories", "bela"], "2b2b0000-bbbb-4bbb-8bbb-bbbbbbbbbbbb", { content: "Bela's" });
    return all;
  }

  test.each([
    ["an unambiguous beginning", "1f0cff", ids[1]],
    ["the beginning of a name", "prof", ids[2]],
    ["capitals, without dashes", "1F0CFFFFAAAA4AAA8AAAAAAAAAAAAAAA", ids[1]],
    ["spaces around it", " profile\n", ids[2]],
  ])("finds a memory by %s", async (_, id, meant) => {
    const { ask, items } = await withIds();
    expect(await ask({ action: "delete", id })).toBe(`Deleted memory ${meant}`);
    expect((await items()).map(({ key }) => key)).not.toContain(meant);
  });

  test.each([
    ["unknown", "00000000-0000-4000-8000-000000000000"],
    ["another user's", "2b2b0000-bbbb-4bbb-8bbb-bbbbbbbbbbbb"],
    ["the beginning of another user's", "2b2b"],
    ["too short to be meant", "1f"],
    ["a path", "../bela/2b2b0000-bbbb-4bbb-8bbb-bbbbbbbbbbbb"],
    ["no key", "a\0b"],
    ["very long", "x".repeat(5000)],
    ["a number", 42],
  ])("says which ids exist where one is %s", async (_, id) => {
    const { ask, items } = await withIds();
    for (const action of ["update", "delete"]) {
      const answer = await ask({ action, id, content: "x" });
      expect(answer).toMatch(/^There is no memory with the id .{1,120}\. The ids that exist are: /s);
      for (const own of ids) expect(answer).toContain(own);
      expect(answer).not.toContain("2b2b0000-bbbb-4bbb-8bbb-bbbbbbbbbbbb.");
    }
    expect(await items()).toHaveLength(3);
    expect(await items("bela")).toHaveLength(1);
  });

  it("names those that an ambiguous beginning could mean, and takes none", async () => {
    const { ask, items } = await withIds();
    const answer = await ask({ action: "delete", id: "1f0c" });
    expect(answer).toMatch(/"1f0c" is the beginning of several: /);
    expect(answer).toContain(ids[0]);
    expect(answer).toContain(ids[1]);
    expect(answer).not.toContain("profile");
    expect(await items()).toHaveLength(3);
  });

  it("does not touch, or name, what is in a namespace below", async () => {
    const { ask, store } = await withIds();
    await store.put(["memories", "asha", "work"], "nested-id", { content: "x" });
    const answer = await ask({ action: "delete", id: "nested-id" });
    expect(answer).toContain('no memory with the id "nested-id"');
    expect(answer).not.toMatch(/exist are:.*nested-id/);
    expect(await store.get(["memories", "asha", "work"], "nested-id")).not.toBeNull();
  });

  it("says that there is nothing yet, and how to begin", async () => {
    expect(await managed().ask({ action: "delete", id: "42" })).toBe(
      'There is no memory with the id "42". There are no memories yet. The action "create" writes the first. Nothing was changed.',
    );
  });

  it("takes no beginning where it cannot see all ids", async () => {
    const { store, ask } = managed();
    await store.batch(
      Array.from({ length: 20_001 }, (_, index) => {
        return { namespace: ["memories", "asha", "work"], key: `nested-${index}`, value: { content: "x" } };
      }),
    );
    await store.put(["memories", "asha"], "profile", { content: "x" });
    expect(await ask({ action: "delete", id: "prof" })).toMatch(/no memory with the id "prof"/);
    expect(await ask({ action: "delete", id: "profile" })).toBe("Deleted memory profile");
  });

  it("names no more than twenty", async () => {
    const { ask, store } = managed();
    for (let index = 0; index < 25; index += 1) {
      await store.put(["memories", "asha"], `memory-${index}`, { content: "x" });
    }
    const answer = await ask({ action: "delete", id: "unknown" });
    expect(answer.match(/memory-/g)).toHaveLength(20);
    expect(answer).toContain(", and 5 more.");
  });
});

describe("actionsPermitted", () => {
  const shown = (actionsPermitted: readonly MemoryAction[]) => {
    const { inputSchema, description } = managed({ actionsPermitted }).tool;
    const { properties } = inputSchema as {
      properties: Record<string, { enum?: string[]; default?: string }>;
    };
    return { properties, description };
  };

  it("shows all by default, beginning with create", () => {
    const { properties, description } = shown(["create", "update", "delete"]);
    expect(Object.keys(properties)).toEqual(["action", "content", "id"]);
    expect(properties.action).toMatchObject({ enum: ["create", "update", "delete"], default: "create" });
    expect(description).toMatch(/^Create, update or delete a memory/);
  });

  test.each<[MemoryAction[], string[], string, RegExp]>([
    [["create", "update"], ["action", "content", "id"], "create", /^Create or update a memory/],
    [["update", "delete"], ["action", "content", "id"], "update", /^Update or delete a memory/],
    [["create"], ["action", "content"], "create", /^Create a memory/],
    [["delete"], ["action", "id"], "delete", /^Delete a memory/],
    [["update", "update"], ["action", "content", "id"], "update", /^Update a memory/],
  ])("shows only %j", async (actions, names, byDefault, beginning) => {
    const { properties, description } = shown(actions);
    expect(Object.keys(properties)).toEqual(names);
    expect(properties.action).toMatchObject({ enum: [...new Set(actions)], default: byDefault });
    expect(description).toMatch(beginning);
    for (const action of ["create", "update", "delete"] as const) {
      if (!actions.includes(action)) expect(description.split("\n")[0]).not.toMatch(new RegExp(action, "i"));
    }
  });

  it("refuses what is not permitted, with a sentence", async () => {
    const { ask, items } = managed({ actionsPermitted: ["create", "update"] });
    const id = idIn(await ask({ content: "x" }));
    expect(await ask({ action: "delete", id })).toMatch(/must be "create" or "update", not "delete"/);
    expect(await items()).toHaveLength(1);
  });

  it("does the first that is permitted where the model names none", async () => {
    const { ask, store } = managed({ actionsPermitted: ["update"] });
    await store.put(["memories", "asha"], "seats", { content: "aisle" });
    expect(await ask({ id: "seats", content: "window" })).toBe("updated memory seats");
  });

  it("refuses an empty or unknown list at once", () => {
    expect(() => managed({ actionsPermitted: [] })).toThrow(/actionsPermitted is empty/);
    const misspelt = ["creat"] as unknown as MemoryAction[];
    expect(() => managed({ actionsPermitted: misspelt })).toThrow(/"creat".*Did you mean "create"/);
  });
});

describe("instructions", () => {
  it("tell the model by default to call the tool on its own on four occasions", () => {
    const { description } = managed().tool;
    expect(description).toMatch(/without being asked/);
    expect(description).toMatch(/preference[\s\S]*asks you[\s\S]*context[\s\S]*wrong or outdated/);
  });

  it("are replaced by the app's", () => {
    const { description } = managed({ instructions: "Keep a profile.\n" }).tool;
    expect(description).toMatch(/\n\nKeep a profile\.$/);
    expect(description).not.toMatch(/without being asked/);
  });
});

describe("schema", () => {
  const profile = z.object({
    name: z.string(),
    age: z.number().int().nullable().optional(),
    recent: z.array(z.string()).default([]),
    home: z.object({ city: z.string(), since: z.number().default(2000) }).nullish(),
  });
  const content = (tool: { inputSchema: unknown }) => {
    return (tool.inputSchema as { properties: { content: Record<string, unknown> } }).properties.content;
  };

  it("reaches the model with its optional, nullable and defaulted fields", () => {
    const shown = content(managed({ schema: profile }).tool);
    expect(shown).toMatchObject({
      type: "object",
      required: ["name"],
      properties: {
        age: { anyOf: [{ type: "integer" }, { type: "null" }] },
        recent: { default: [], type: "array" },
        home: { anyOf: [{ required: ["city"], properties: { since: { default: 2000 } } }, { type: "null" }] },
      },
    });
    expect(shown).not.toHaveProperty("$schema");
  });

  it("fills defaults, and keeps what is null apart from what is missing", async () => {
    const { ask, items } = managed({ schema: profile });
    await ask({ content: { name: "Asha", age: null, home: { city: "Pune" } } });
    expect((await items())[0]?.value).toEqual({
      content: { name: "Asha", age: null, recent: [], home: { city: "Pune", since: 2000 } },
    });
  });

  it("answers what does not fit with the places that are wrong", async () => {
    const { ask, items } = managed({ schema: profile });
    const answer = await ask({ content: { age: "sixty", home: { city: 3 } } });
    expect(answer).toMatch(/does not fit its schema: name: .*; age: .*; home\.city: .*Call again/);
    expect(answer).toMatch(/Nothing was changed\.$/);
    expect(await items()).toEqual([]);
  });

  it("reads an object that the model wrote as text", async () => {
    const { ask, items } = managed({ schema: profile });
    await ask({ content: '{"name": "Asha"}' });
    expect((await items())[0]?.value).toEqual({ content: { name: "Asha", recent: [] } });
    expect(await ask({ content: '{"nam": "Asha"}' })).toMatch(/does not fit its schema: name: /);
  });

  it("may be asynchronous, and may transform", async () => {
    const schema = z.object({
      at: z
        .string()
        .refine(async (text) => text !== "never")
        .transform((text) => new Date(text)),
    });
    const { ask, items } = managed({ schema });
    expect(await ask({ content: { at: "never" } })).toMatch(/does not fit/);
    await ask({ content: { at: "2026-01-01" } });
    expect((await items())[0]?.value).toEqual({ content: { at: "2026-01-01T00:00:00.000Z" } });
  });

  it("may be a JSON schema, which is held to as well", async () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        age: { type: ["integer", "null"] },
        recent: { type: "array", items: { type: "string" }, default: [] },
      },
      required: ["name", "recent"],
    };
    const { ask, items, tool } = managed({ schema });
    expect(content(tool).required).toEqual(["name"]);
    expect(await ask({ content: { name: 1, age: 1.5 } })).toMatch(
      /name: must be a string, not 1; age: must be an integer or null, not 1.5/,
    );
    await ask({ content: { name: "Asha" } });
    expect((await items())[0]?.value).toEqual({ content: { name: "Asha", recent: [] } });
  });

  it("keeps its references where it stands inside the arguments", () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node);
      },
    });
    const { inputSchema } = managed({ schema: node }).tool;
    const references = JSON.stringify(inputSchema).match(/"\$ref":"[^"]*"/g) ?? [];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const path = reference.slice('"$ref":"#/'.length, -1).split("/");
      const target = path.reduce<unknown>((place, step) => Object(place)[step], inputSchema);
      expect(target).toMatchObject({ properties: { children: {} } });
    }
  });

  it("is refused at once where it is none, or cannot be shown to a model", () => {
    expect(() => managed({ schema: { name: z.string() } as never })).toThrow(/schema must be a zod schema/);
    expect(() => managed({ schema: z.object({ at: z.date() }) })).toThrow(/no form as a JSON schema/);
    const silent = { "~standard": { validate: () => ({ value: 1 }) } };
    expect(() => managed({ schema: silent })).toThrow(/cannot give a JSON schema/);
  });

  it("does not let nesting beyond what stores take end the call", async () => {
    let deep: unknown = "x";
    for (let level = 0; level < 400; level += 1) deep = [deep];
    expect(await managed({ schema: { type: "array" } }).ask({ content: deep })).toMatch(/nested deeper/);
  });
});

describe("the app's mistakes are logged and thrown", () => {
  it("no store", async () => {
    const logger = keepingLogger();
    const tool = manageMemoryTool({ namespace, logger });
    await expect(tool.execute({ content: "x" }, asha)).rejects.toMatchObject({ code: "missing_store" });
    expect(logger.errors).toEqual([
      [
        expect.stringContaining("manage_memory"),
        expect.objectContaining({ code: "missing_store", namespace }),
      ],
    ]);
  });

  it("something that is no store, such as LangChain's store of keys and values", async () => {
    const logger = keepingLogger();
    const tool = manageMemoryTool({ namespace, logger });
    const store = { mget: () => [], mset: () => undefined };
    await expect(tool.execute({ content: "x" }, { ...asha, store })).rejects.toThrow(
      /no get, put, delete and search/,
    );
  });

  it("no value for a placeholder, whose name is told and no value", async () => {
    const logger = keepingLogger();
    const { ask } = managed({ logger });
    const run = { configurable: { user_id: "secret-1" }, context: { tenant: "secret-2" } };
    const failed = ask({ content: "x" }, run);
    await expect(failed).rejects.toMatchObject({ code: "missing_namespace_value" });
    await expect(failed).rejects.toThrow(/\{userId\}: it is missing/);
    const logged = JSON.stringify(logger.errors);
    expect(logged).toContain("user_id");
    expect(logged).toContain("tenant");
    expect(logged).not.toMatch(/secret/);
  });

  it("options that cannot work", () => {
    expect(() => managed({ actions_permitted: ["create"] } as never)).toThrow(
      /Did you mean "actionsPermitted"/,
    );
    expect(() => managed({ namespace: [] })).toThrow(/no labels/);
    expect(() => managed({ name: "manage memory" })).toThrow(/name must be/);
    expect(() => managed({ store: {} as never })).toThrow(/store must be/);
  });

  it("and what the store itself throws comes through", async () => {
    const { ask, store } = managed();
    await store.close();
    await expect(ask({ content: "x" })).rejects.toMatchObject({ code: "closed" });
  });
});

it("keeps users apart", async () => {
  const { ask, items } = managed();
  await ask({ content: "Asha's" });
  await ask({ content: "Bela's" }, bela);
  expect((await items()).map(({ value }) => value.content)).toEqual(["Asha's"]);
  expect((await items("bela")).map(({ value }) => value.content)).toEqual(["Bela's"]);
});
