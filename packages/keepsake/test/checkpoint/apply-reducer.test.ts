import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it, vi } from "vitest";
import { applyReducer } from "../../src/checkpoint/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly id: string;
}

const listOf = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, turn) => [
    { role: "user", content: `question ${turn}`, id: `u${turn}` },
    { role: "assistant", content: `answer ${turn}`, id: `a${turn}` },
  ]).flat();

const checkpointOf = (channel_values: Record<string, unknown>) => ({
  v: 4,
  id: "1",
  channel_values,
  channel_versions: { messages: 3, count: 1 },
});

const config = { configurable: { thread_id: "t1" } };

afterEach(() => vi.restoreAllMocks());

describe("applyReducer", () => {
  it("returns a copy with the channel reduced, and leaves the checkpoint as it was", async () => {
    const reducer = new MessageReducer<Message>({ minMessages: 2, maxMessages: 4 });
    const messages = listOf(5);
    const checkpoint = Object.freeze(checkpointOf(Object.freeze({ messages, count: 1 })));
    const reduced = await applyReducer(reducer, checkpoint, config);
    expect(reduced.channel_values.messages).toEqual([messages[0], messages[8], messages[9]]);
    expect(reduced).toEqual({
      ...checkpoint,
      channel_values: { count: 1, messages: reduced.channel_values.messages },
    });
    expect(messages).toHaveLength(10);
  });

  it("hands over what leaves, with namespace, thread and checkpoint namespace", async () => {
    const onPrune = vi.fn();
    const reducer = new MessageReducer<Message>({ minMessages: 2, maxMessages: 4, onPrune: [onPrune] });
    const checkpoint = checkpointOf({ messages: listOf(3) });
    await applyReducer(reducer, checkpoint, config);
    await applyReducer(reducer, checkpoint, { configurable: { thread_id: "t1", checkpoint_ns: "child:1" } });
    await applyReducer(reducer, checkpoint, { configurable: { memory_namespace: ["memories", "asha"] } });
    const told = onPrune.mock.calls.map(([pruned, namespace, { threadId }]) => [
      pruned.length,
      namespace,
      threadId,
    ]);
    expect(told).toEqual([
      [3, ["memories", "t1"], "t1"],
      [3, ["memories", "t1"], '["t1","child:1"]'],
      [3, ["memories", "asha"], undefined],
    ]);
  });

  it("reduces another channel where told so, and only that", async () => {
    const reducer = new MessageReducer<Message>({ minMessages: 2, maxMessages: 4 });
    const checkpoint = checkpointOf({ messages: listOf(5), chat: listOf(5) });
    const { channel_values } = await applyReducer(reducer, checkpoint, config, "chat");
    expect(channel_values.chat).toHaveLength(3);
    expect(channel_values.messages).toHaveLength(10);
  });

  it.each([[{}], [{ messages: "text" }], [{ messages: null }], [{ messages: { 0: "x" } }]])(
    "leaves alone what holds no list: %j",
    async (values) => {
      const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
      const checkpoint = { channel_values: values, channel_versions: {} };
      expect(await applyReducer(new MessageReducer(), checkpoint, config)).toBe(checkpoint);
      expect(warn).not.toHaveBeenCalled();
    },
  );

  it.each([
    ["whose history is elsewhere", {}],
    ["that is there as a snapshot", { messages: new DeltaSnapshot(listOf(30)) }],
  ])("leaves a DeltaChannel alone %s, and says so once", async (_, values) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const onPrune = vi.fn();
    const reducer = new MessageReducer({ onPrune: [onPrune] });
    const checkpoint = checkpointOf(values);
    expect(await applyReducer(reducer, checkpoint, config)).toBe(checkpoint);
    expect(await applyReducer(reducer, checkpoint, config)).toBe(checkpoint);
    expect(warn.mock.calls.flat().join()).toMatch(/^keepsake: the channel "messages" .* DeltaChannel/);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(onPrune).not.toHaveBeenCalled();
  });

  it.each([[["hi"]], [[0, 1]], [[...listOf(12), null]]])(
    "loses nothing of a list with something else in it, and says so once: %j",
    async (messages) => {
      const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
      const reducer = new MessageReducer({ minMessages: 1, maxMessages: 1 });
      const checkpoint = checkpointOf({ messages });
      expect(await applyReducer(reducer, checkpoint, config)).toBe(checkpoint);
      await applyReducer(reducer, checkpoint, config);
      expect(warn).toHaveBeenCalledTimes(1);
    },
  );
});
