import { describe, expect, it } from "vitest";
import { estimateTokens, viewOf } from "../../src/message/index.ts";
import { contentIds, type ReducerConfig } from "../../src/reducer/index.ts";
import { assistant, json, long, type Message, marker, scope, truncating, user } from "./truncating.ts";

describe("an oversized message", () => {
  it("is off by default", async () => {
    const { reducer } = truncating({ maxMessageTokens: undefined });
    const list = [user(long)];
    const { surviving, truncated } = await reducer.reduce({ existing: list, ...scope });
    expect([surviving, truncated]).toEqual([list, []]);
  });

  it.each<[string, ReducerConfig<Message>]>([
    ["by count", {}],
    ["by tokens", { maxTokens: 500 }],
    ["by exact count", { boundary: "message", repair: false }],
    [
      "by another counter",
      { maxTokens: 500, tokenCounter: (message) => Math.ceil(viewOf(message).text.length / 3) },
    ],
  ])("is a copy in the window, and the original is delivered, %s", async (_, config) => {
    const { reducer, given, events } = truncating(config);
    const original: Message = Object.freeze({ ...user(long, "m1"), extra: { kept: true } });
    const list = [original, assistant("Too long")];
    const before = json(list);
    const { surviving, pruned, truncated, overBudget } = await reducer.reduce({ existing: list, ...scope });
    expect(list).toEqual(before);
    expect([pruned, truncated, given]).toEqual([[original], [original], [original]]);
    expect(given[0]).toBe(original);
    expect(surviving).toHaveLength(2);
    const [copy] = surviving;
    expect(copy).toMatchObject({ role: "user", id: "m1", extra: { kept: true } });
    const text = String(copy?.content);
    expect(text.startsWith("line 0 of the log\n") && text.endsWith("line 3999 of the log")).toBe(true);
    const count = config.tokenCounter ?? estimateTokens;
    expect(count(copy as Message)).toBeLessThanOrEqual(200);
    expect(count(copy as Message)).toBeGreaterThan(150);
    expect(overBudget).toBe(false);
    expect(events).toContainEqual(expect.objectContaining({ type: "truncated", count: 1, ...scope }));
  });

  it("has the same copy each time, and its original is delivered once", async () => {
    const { reducer, given } = truncating();
    const list = [user(long, "m1")];
    const first = await reducer.reduce({ existing: list, ...scope });
    const second = await reducer.reduce({ existing: [...list, assistant("and so on")], ...scope });
    expect(second.surviving[0]).toBe(first.surviving[0]);
    expect(second.truncated).toEqual(list);
    expect(reducer.reduceSync({ existing: list, ...scope }).surviving[0]).toBe(first.surviving[0]);
    await reducer.flush();
    expect(given).toEqual(list);
  });

  it("is known again as a copy, in another process too: neither truncated again nor delivered", async () => {
    const first = await truncating().reducer.reduce({ existing: [user(long, "m1")], ...scope });
    const { reducer, given } = truncating({
      maxMessages: 3,
      minMessages: 1,
      maxMessageTokens: 50,
      preserveFirst: false,
    });
    const existing = json(first.surviving);
    const kept = await reducer.reduce({ existing, ...scope });
    expect(kept).toMatchObject({ surviving: existing, pruned: [], truncated: [] });
    const added = [assistant("a"), user("b"), assistant("c"), user("d")];
    const cut = await reducer.reduce({ existing, new: added, ...scope });
    expect(cut.pruned[0]).toBe(existing[0]);
    expect(given).toEqual(cut.pruned.slice(1));
    await reducer.handOver({ messages: [...existing, ...added], ...scope });
    expect(given.some((message) => marker.test(String(message.content)))).toBe(false);
  });

  it("that only quotes a copy is delivered like any other", async () => {
    const { surviving } = await truncating().reducer.reduce({ existing: [user(long)], ...scope });
    const quote = user(`You said: ${String(surviving[0]?.content)}`);
    const { reducer, given } = truncating({
      maxMessages: 2,
      minMessages: 1,
      maxMessageTokens: 1000,
      preserveFirst: false,
    });
    await reducer.reduce({ existing: [quote, assistant("a"), user("b"), assistant("c")], ...scope });
    expect(given).toContain(quote);
  });

  it("is whole again where its content was replaced", async () => {
    const { reducer } = truncating();
    const message = { role: "user", content: long };
    await reducer.reduce({ existing: [message], ...scope });
    message.content = "short";
    expect((await reducer.reduce({ existing: [message], ...scope })).surviving).toEqual([message]);
  });

  it("stays as it is where a hook has not taken it, with retain", async () => {
    let fails = true;
    const { reducer } = truncating({
      onHookError: "retain",
      onPrune: [
        () => {
          if (fails) throw new Error("down");
        },
      ],
    });
    const list = [user(long, "m1")];
    const held = await reducer.reduce({ existing: list, ...scope });
    expect(held).toMatchObject({ surviving: list, pruned: [], truncated: [] });
    fails = false;
    const taken = await reducer.reduce({ existing: list, ...scope });
    expect(taken).toMatchObject({ pruned: list, truncated: list });
  });

  it("is summarised as it was", async () => {
    const asked: Message[] = [];
    const { reducer } = truncating({
      summarize: (pruned) => {
        asked.push(...pruned);
        return "a summary";
      },
    });
    const list = [user(long, "m1")];
    const { summary, surviving } = await reducer.reduce({ existing: list, ...scope });
    expect([summary, asked]).toEqual(["a summary", list]);
    await reducer.reduce({ existing: surviving, ...scope });
    expect(asked).toHaveLength(1);
  });

  it("stays as it is where it is a prompt, of an unknown role, pinned, or has no text", async () => {
    const kept = [
      { role: "system", content: long },
      { role: "developer", content: long },
      { role: "critic", content: long },
      { role: "user", content: long, pinned: true },
      { role: "user", content: [{ text: long }], metadata: { custom: { pinned: true } } },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c", type: "function", function: { name: "write", arguments: JSON.stringify({ long }) } },
        ],
      },
    ];
    const { reducer, given } = truncating({
      maxTokens: 300,
      preserveFirst: false,
      pin: (message) => message.pinned === true,
    });
    for (const message of kept) {
      const result = await reducer.reduce({ existing: [message], ...scope });
      expect(result).toMatchObject({ surviving: [message], pruned: [], truncated: [], overBudget: true });
    }
    expect(given).toEqual([]);
  });

  it("does not disturb the ids of a full history", async () => {
    const { reducer, given } = truncating({
      identify: contentIds(),
      maxMessages: 4,
      minMessages: 2,
      preserveFirst: false,
    });
    const history = [
      user("ok"),
      assistant(long),
      user("ok"),
      assistant("b"),
      user("ok"),
      assistant("c"),
      user("ok"),
    ];
    for (let length = 1; length <= history.length; length += 1)
      await reducer.reduce({ existing: history.slice(0, length), ...scope });
    const { pruned } = await reducer.reduce({ existing: history, ...scope });
    expect(given).toHaveLength(pruned.length);
    const survivors = truncating({
      identify: contentIds(),
      maxMessages: 4,
      minMessages: 2,
      preserveFirst: false,
    });
    let existing: readonly Message[] = [];
    const left = new Set<Message>();
    for (const message of history) {
      const result = await survivors.reducer.reduce({ existing, new: [message], ...scope });
      for (const gone of result.pruned) if (history.includes(gone)) left.add(gone);
      existing = result.surviving;
    }
    expect(survivors.given).toEqual([...left]);
  });
});
