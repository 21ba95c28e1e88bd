import { describe, expect, it, vi } from "vitest";
import { KeepsakeError } from "../../../src/errors/index.ts";
import { rememberVerbatim, turnIndex } from "../../../src/memory/index.ts";
import { InMemoryStore, type Store } from "../../../src/store/index.ts";
import { deliver, delivery, found, namespace, turnsIn } from "./harness.ts";

const hotel = [
  { id: "1", role: "user", content: "We are planning the honeymoon." },
  { id: "2", role: "assistant", content: "Where?" },
  { id: "3", role: "user", content: "In Lisbon, last May." },
];

describe("a turn", () => {
  it("is one item with all that was said, by whom, when and where in the conversation", async () => {
    const store = new InMemoryStore();
    await deliver(
      rememberVerbatim(store),
      [
        {
          id: "7",
          role: "user",
          name: "Asha",
          content: "Window seats only.",
          timestamp: "2023-05-08T13:56:00Z",
        },
      ],
      { threadId: "trip" },
    );
    const [item, ...others] = await store.search(namespace);
    expect(others).toEqual([]);
    expect(item?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(item?.value).toEqual({
      kind: "turn",
      role: "human",
      content: "Window seats only.",
      name: "Asha",
      at: "2023-05-08T13:56:00.000Z",
      date: "8 May 2023",
      threadId: "trip",
      position: 0,
    });
  });

  it("holds placeholders for media, lines for tool calls, and no reasoning", async () => {
    const store = new InMemoryStore();
    await deliver(rememberVerbatim<object>(store), [
      {
        role: "user",
        content: [
          { type: "text", text: "This one:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "She likes windows." }],
        tool_calls: [
          { id: "c1", type: "function", function: { name: "book_seat", arguments: '{"seat":"4A"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "booked" },
      { role: "system", content: "Be brief." },
    ]);
    const turns = await turnsIn(store);
    expect(turns.map(({ role, content }) => [role, content])).toEqual([
      ["human", "This one:\n[image]"],
      ["ai", '[call book_seat {"seat":"4A"}]'],
      ["tool", "booked"],
      ["system", "Be brief."],
    ]);
  });

  it("keeps even what cannot be read as a message, and huge content whole", async () => {
    const store = new InMemoryStore();
    const huge = "Lisbon ".repeat(100_000);
    await deliver(rememberVerbatim<unknown>(store), [null, 7, ["a"], { role: "user", content: huge }]);
    expect((await turnsIn(store)).map(({ content }) => content)).toEqual(["null", "7", '["a"]', huge]);
  });

  it("takes its time from `timestampOf`, and goes without one that is no time", async () => {
    const store = new InMemoryStore();
    const times = new Map<string, Date | string>([
      ["1", new Date("2024-02-29T00:00:00Z")],
      ["2", "soon"],
    ]);
    await deliver(rememberVerbatim<{ id: string }>(store, { timestampOf: ({ id }) => times.get(id) }), hotel);
    expect((await turnsIn(store)).map(({ at }) => at)).toEqual([
      "2024-02-29T00:00:00.000Z",
      undefined,
      undefined,
    ]);
  });
});

describe("a turn is found", () => {
  it("by its surroundings", async () => {
    const store = new InMemoryStore({ index: turnIndex });
    await deliver(rememberVerbatim(store), hotel);
    expect(await found(store, "honeymoon")).toEqual([
      hotel[0]?.content,
      hotel[1]?.content,
      hotel[2]?.content,
    ]);
  });

  it("by surroundings that arrived before it and after it, in other deliveries", async () => {
    const store = new InMemoryStore({ index: turnIndex });
    for (const message of hotel) await deliver(rememberVerbatim(store), [message]);
    expect((await turnsIn(store)).map(({ before, after }) => [before, after])).toEqual([
      [undefined, "Lisbon last May"],
      ["planning honeymoon", "Lisbon last May"],
      ["planning honeymoon", undefined],
    ]);
  });

  it("by its speaker and its date", async () => {
    const store = new InMemoryStore({ index: turnIndex });
    await deliver(rememberVerbatim(store), [
      { id: "1", role: "user", name: "Asha", content: "The kiln broke.", timestamp: "2023-05-08" },
      { id: "2", role: "user", name: "Bela", content: "The kiln broke.", timestamp: "2023-09-08" },
    ]);
    const [first] = await store.search(namespace, { query: "What did Bela say broke?" });
    expect(first?.value.name).toBe("Bela");
    const [second] = await store.search(namespace, { query: "What broke in May 2023?" });
    expect(second?.value.name).toBe("Asha");
  });

  it("not by what was said in another sitting", async () => {
    const store = new InMemoryStore({ index: turnIndex });
    const timed = [
      { id: "1", role: "user", content: "Honeymoon plans.", timestamp: "2024-05-01T12:00:00Z" },
      { id: "2", role: "user", content: "The kiln broke.", timestamp: "2024-05-01T18:00:01Z" },
    ];
    await deliver(rememberVerbatim(store), timed);
    expect(await found(store, "honeymoon")).toEqual(["Honeymoon plans."]);
    await deliver(rememberVerbatim(store, { sessionGapMs: 7 * 3_600_000 }), timed, {}, ["other"]);
    expect(await found(store, "honeymoon", ["other"])).toEqual(["Honeymoon plans.", "The kiln broke."]);
  });

  it("in a store without index fields too, and not at all with `index: false`", async () => {
    const store = new InMemoryStore();
    await deliver(rememberVerbatim(store), hotel);
    expect(await found(store, "honeymoon")).toHaveLength(3);
    await deliver(
      rememberVerbatim(store, { index: false }),
      [{ id: "9", role: "user", content: "zeppelin" }],
      {},
      ["other"],
    );
    expect(await found(store, "zeppelin", ["other"])).toEqual([]);
    expect(await turnsIn(store, ["other"])).toHaveLength(1);
  });
});

describe("a message delivered again", () => {
  it("overwrites its item and keeps its position", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, hotel);
    await deliver(hook, [{ id: "4", role: "user", content: "And then Porto." }]);
    const before = await turnsIn(store);
    await deliver(hook, hotel.slice(0, 1));
    await deliver(hook, [...hotel].reverse());
    expect(await turnsIn(store)).toEqual(before);
    await deliver(hook, [{ id: "5", role: "user", content: "Home again." }]);
    expect((await turnsIn(store)).map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  it("writes nothing where nothing changed", async () => {
    const store = new InMemoryStore();
    await deliver(rememberVerbatim(store), hotel);
    await deliver(rememberVerbatim(store), hotel);
    expect((await store.search(namespace)).map(({ version }) => version)).toEqual([1, 1, 1]);
  });

  it("restores an item that was lost", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, hotel);
    const [item] = await store.search(namespace, { filter: { position: 1 } });
    await store.delete(namespace, item?.key ?? "");
    await deliver(hook, hotel);
    expect((await turnsIn(store)).map(({ content }) => content).sort()).toEqual(
      hotel.map(({ content }) => content).sort(),
    );
  });

  it("is another message where its content changed, or its thread", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    const message = { id: "1", role: "user", content: "Tea." };
    await deliver(hook, [message]);
    await deliver(hook, [{ ...message, content: "Coffee." }]);
    await deliver(hook, [message], { threadId: "other" });
    expect((await turnsIn(store)).map(({ content }) => content).sort()).toEqual(["Coffee.", "Tea.", "Tea."]);
  });
});

describe("messages without an id", () => {
  const ok = { role: "user", content: "ok" };

  it("that say the same stay two", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, [ok, ok]);
    await deliver(hook, [ok]);
    expect((await turnsIn(store)).map(({ position }) => position)).toEqual([0, 1, 2]);
  });

  it("are stored once when the delivery is retried", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, [ok, ok], { deliveryId: "d" });
    await deliver(hook, [ok, ok], { deliveryId: "d", attempt: 2 });
    expect(await turnsIn(store)).toHaveLength(2);
  });
});

describe("positions", () => {
  it("follow the order of delivery, per thread", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    const say = (id: string) => [{ id, role: "user", content: `said ${id}` }];
    await deliver(hook, say("a1"), { threadId: "a" });
    await deliver(hook, say("b1"), { threadId: "b" });
    await deliver(hook, say("a2"), { threadId: "a" });
    const turns = await turnsIn(store);
    expect(
      turns.filter(({ threadId }) => threadId === "a").map(({ content, position }) => [content, position]),
    ).toEqual([
      ["said a1", 0],
      ["said a2", 1],
    ]);
    expect(turns.find(({ threadId }) => threadId === "b")).toMatchObject({ position: 0 });
    expect(turns.find(({ threadId }) => threadId === "b")).not.toHaveProperty("before");
  });

  it("of concurrent deliveries do not clash, of whatever hook", async () => {
    const store = new InMemoryStore();
    const hooks = [rememberVerbatim(store), rememberVerbatim(store)];
    const say = (index: number) => [
      { id: `${index}a`, role: "user", content: `first ${index}` },
      { id: `${index}b`, role: "user", content: `second ${index}` },
    ];
    let wait = 40;
    vi.spyOn(store, "batch").mockImplementation(async (operations) => {
      wait -= 1;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
      return InMemoryStore.prototype.batch.call(store, operations);
    });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        deliver(hooks[index % 2] ?? rememberVerbatim(store), say(index)),
      ),
    );
    const turns = await turnsIn(store);
    expect(turns.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(turns.map(({ content }) => content).slice(0, 4)).toEqual([
      "first 0",
      "second 0",
      "first 1",
      "second 1",
    ]);
    const oneByOne = new InMemoryStore();
    for (let index = 0; index < 20; index += 1) await deliver(rememberVerbatim(oneByOne), say(index));
    expect(turns).toEqual(await turnsIn(oneByOne));
  });

  it("are not seen: what counts them is no item of the app's", async () => {
    const store = new InMemoryStore();
    await deliver(rememberVerbatim(store), hotel, { threadId: "a" });
    expect(await store.count([])).toBe(3);
    expect(await store.search([])).toHaveLength(3);
    expect(await store.listNamespaces()).toEqual([namespace]);
  });

  it("go on after the last one, also where older turns were written since and many were forgotten", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    const many = Array.from({ length: 60 }, (_, index) => ({
      id: `${index}`,
      role: "user",
      content: `turn ${index}`,
    }));
    await deliver(hook, many);
    for (const item of await store.search(namespace, { filter: { position: { $lt: 25 } }, limit: 100 }))
      await store.put(namespace, item.key, { ...item.value, importance: 1 });
    await store.deleteAll(namespace, { filter: { position: { $gte: 30, $lt: 58 } } });
    await deliver(hook, [{ id: "next", role: "user", content: "next" }]);
    expect((await turnsIn(store)).at(-1)).toMatchObject({
      content: "next",
      position: 60,
      before: "58 turn 59",
    });
  });

  it("without a thread are apart from those of threads in the same namespace", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, hotel.slice(0, 1), { threadId: "a" });
    await deliver(hook, hotel.slice(1, 2));
    await deliver(hook, hotel.slice(2, 3));
    const apart = (await turnsIn(store)).filter(({ threadId }) => threadId === undefined);
    expect(apart.map(({ content, position, before }) => [content, position, before])).toEqual([
      ["Where?", 0, undefined],
      ["In Lisbon, last May.", 1, undefined],
    ]);
    await deliver(hook, [{ id: "4", role: "user", content: "Yes." }]);
    expect((await turnsIn(store)).at(-1)).toMatchObject({ before: "Lisbon last May" });
  });

  it("are not confused by namespaces below", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, hotel, {}, [...namespace, "below"]);
    await deliver(hook, hotel.slice(0, 1));
    await deliver(hook, hotel.slice(1, 2));
    const own = (await store.search(namespace, { limit: 100 })).filter((item) => item.namespace.length === 2);
    expect(own.map(({ value }) => value.position).sort()).toEqual([0, 1]);
    expect(own.find(({ value }) => value.position === 1)?.value.before).toBe("planning honeymoon");
  });

  it("are taken once by two processes at the same moment", async () => {
    const store = new InMemoryStore();
    // A store object of its own has a queue of its own, as another process has.
    const elsewhere: Store = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const hooks = [rememberVerbatim(store), rememberVerbatim(elsewhere)];
    await Promise.all(
      hooks.flatMap((hook, side) =>
        Array.from({ length: 10 }, (_, index) =>
          deliver(hook, [{ id: `${side}-${index}`, role: "user", content: `side ${side} turn ${index}` }]),
        ),
      ),
    );
    expect((await turnsIn(store)).map(({ position }) => position)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it("leave the words of a forgotten turn behind once another follows", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, hotel.slice(0, 1));
    await deliver(hook, hotel.slice(2));
    await store.deleteAll(namespace, { filter: { position: 1 } });
    await deliver(hook, [{ id: "9", role: "user", content: "And then?" }]);
    const [first] = await turnsIn(store);
    expect(first?.content).toBe("We are planning the honeymoon.");
    expect(first).not.toHaveProperty("after");
  });

  it("keep what others added to a turn", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await deliver(hook, hotel.slice(0, 1));
    const [item] = await store.search(namespace);
    await store.put(namespace, item?.key ?? "", { ...item?.value, importance: 0.9 });
    await deliver(hook, hotel);
    expect((await turnsIn(store))[0]).toMatchObject({ importance: 0.9, after: "Lisbon last May" });
  });
});

describe("bad input", () => {
  it.each([[null], [undefined], [[]], [""], [[null]], [["memories", {}]], [{}], [true], [Number.NaN]])(
    "namespace %j is an error, and nothing is written",
    async (bad) => {
      const store = new InMemoryStore();
      const hook = rememberVerbatim(store);
      await expect(hook(hotel, bad as never, delivery())).rejects.toMatchObject({
        code: "invalid_namespace",
      });
      await expect(hook(hotel, bad as never, delivery())).rejects.toThrow(/Pass `namespace`/);
      expect(await store.count([])).toBe(0);
    },
  );

  it.each([
    ["/memories/asha", ["memories", "asha"]],
    ["asha", ["asha"]],
    [42, ["42"]],
    [
      ["memories", 7],
      ["memories", "7"],
    ],
  ])("namespace %j is where recall and the tools look", async (given, labels) => {
    const store = new InMemoryStore();
    await rememberVerbatim(store)(hotel, given as never, delivery());
    expect(await turnsIn(store, labels)).toHaveLength(hotel.length);
  });

  it.each([
    [{ sessionGapMs: -1 }, "sessionGapMs"],
    [{ sessionGapMs: Number.NaN }, "sessionGapMs"],
    [{ timestampOf: "created" }, "timestampOf"],
    [{ index: "content" }, "index"],
    [{ sesionGapMs: 5 }, 'did you mean "sessionGapMs"'],
  ])("options %j are refused", (options, text) => {
    expect(() => rememberVerbatim(new InMemoryStore(), options as never)).toThrow(text);
    expect(() => rememberVerbatim(new InMemoryStore(), options as never)).toThrow(KeepsakeError);
  });

  it("an aborted delivery writes nothing; the next one does", async () => {
    const store = new InMemoryStore();
    const hook = rememberVerbatim(store);
    await expect(deliver(hook, hotel, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await store.count([])).toBe(0);
    await deliver(hook, hotel);
    expect(await store.count([])).toBe(3);
  });

  it.each(["the first read", "the write"])(
    "a store that fails at %s fails the delivery, not the next one; offered again it is stored once",
    async (place) => {
      const store = new InMemoryStore();
      const hook = rememberVerbatim(store);
      await deliver(hook, hotel.slice(0, 1));
      const batch = vi.spyOn(store, "batch");
      if (place === "the write")
        batch.mockImplementationOnce((operations) => InMemoryStore.prototype.batch.call(store, operations));
      if (place === "the write")
        batch.mockImplementationOnce((operations) => InMemoryStore.prototype.batch.call(store, operations));
      batch.mockRejectedValueOnce(new Error("disk full"));
      const failing = deliver(hook, hotel.slice(1, 2));
      const next = deliver(hook, hotel.slice(2));
      await expect(failing).rejects.toThrow("disk full");
      await next;
      await deliver(hook, hotel.slice(1, 2), { attempt: 2 });
      const turns = await turnsIn(store);
      expect(turns.map(({ content }) => content)).toEqual(
        [hotel[0], hotel[2], hotel[1]].map((message) => message?.content),
      );
      expect(new Set(turns.map(({ position }) => position)).size).toBe(3);
    },
  );

  it("a delivery of thousands is stored whole and in order", async () => {
    const store = new InMemoryStore();
    const many = Array.from({ length: 3000 }, (_, index) => ({
      id: `${index}`,
      role: "user",
      content: `turn ${index}`,
    }));
    await deliver(rememberVerbatim(store), many);
    expect((await turnsIn(store)).map(({ content }) => content)).toEqual(many.map(({ content }) => content));
  });

  it("an empty delivery does nothing", async () => {
    const store = new InMemoryStore();
    await deliver(rememberVerbatim(store), []);
    expect(await store.count([])).toBe(0);
  });
});
