import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import { withNote, withoutVainWrites } from "../../src/checkpoint/index.ts";

type Write = [taskId: string, channel: string, value: unknown];

const stored = [new HumanMessage({ id: "1", content: "one" }), new AIMessage({ id: "2", content: "two" })];
const tupleOf = (pendingWrites: Write[], messages: unknown = stored) => ({
  config: {},
  checkpoint: { channel_values: { messages } },
  pendingWrites,
});
const gone = new RemoveMessage({ id: "gone" });
const known = new RemoveMessage({ id: "2" });
const added = new AIMessage({ id: "3", content: "three" });

describe("withoutVainWrites", () => {
  it("takes removals of messages that are not there out of the writes, alone and among others", () => {
    const tuple = tupleOf([
      ["a", "messages", gone],
      ["b", "messages", [added, gone, known]],
      ["b", "count", 1],
    ]);
    expect(withoutVainWrites(tuple)).toEqual({
      ...tuple,
      pendingWrites: [
        ["a", "messages", []],
        ["b", "messages", [added, known]],
        ["b", "count", 1],
      ],
    });
    expect(tuple.pendingWrites[0]).toEqual(["a", "messages", gone]);
  });

  it("knows a removal after the way through a serialiser, and one that was left as data", async () => {
    const serde = new JsonPlusSerializer();
    const [type, bytes] = await serde.dumpsTyped([gone]);
    const revived = await serde.loadsTyped(type, bytes);
    const data = JSON.parse(new TextDecoder().decode(bytes));
    for (const value of [revived, data, [{ type: "remove", id: "gone" }]]) {
      expect(withoutVainWrites(tupleOf([["a", "messages", value]])).pendingWrites).toEqual([
        ["a", "messages", []],
      ]);
    }
  });

  const untouched: [string, Write[], unknown?][] = [
    ["a message that is stored", [["a", "messages", known]]],
    [
      "a message that another write brings",
      [
        ["a", "messages", [added]],
        ["b", "messages", new RemoveMessage({ id: "3" })],
      ],
    ],
    ["everything", [["a", "messages", new RemoveMessage({ id: "__remove_all__" })]]],
    ["something in another channel", [["a", "chat", gone]]],
    ["something in a channel that holds no list", [["a", "messages", gone]], undefined],
  ];
  it.each(untouched)("keeps a removal of %s: the tuple is the same", (...[, writes, ...messages]) => {
    const tuple =
      messages.length === 0
        ? tupleOf(writes)
        : { ...tupleOf(writes), checkpoint: { channel_values: { messages: messages[0] } } };
    expect(withoutVainWrites(tuple)).toBe(tuple);
  });

  it("looks at the channel it is told", () => {
    const tuple = { ...tupleOf([["a", "chat", gone]]), checkpoint: { channel_values: { chat: [] } } };
    expect(withoutVainWrites(tuple, "chat").pendingWrites).toEqual([["a", "chat", []]]);
  });

  const pruned = new HumanMessage({ id: "0", content: "zero" });
  const noted = (pendingWrites: Write[], messages?: unknown) => ({
    ...tupleOf(pendingWrites, messages),
    metadata: withNote({ source: "loop", step: 1 }, [pruned]),
  });

  it("takes copies of what was pruned out of the writes, and the note out of the metadata", async () => {
    const serde = new JsonPlusSerializer();
    const copy = await serde.loadsTyped(...(await serde.dumpsTyped([pruned, ...stored, added])));
    const tuple = noted([
      ["a", "messages", copy],
      ["b", "messages", pruned],
      ["c", "messages", new RemoveMessage({ id: "0" })],
      ["d", "chat", [pruned]],
    ]);
    const { pendingWrites, metadata } = withoutVainWrites(tuple);
    expect(metadata).toEqual({ source: "loop", step: 1 });
    expect(pendingWrites).toEqual([
      ["a", "messages", [...stored, added]],
      ["b", "messages", []],
      ["c", "messages", []],
      ["d", "chat", [pruned]],
    ]);
  });

  const others: [string, Write][] = [
    ["an edited copy", ["a", "messages", new HumanMessage({ id: "0", content: "zero, corrected" })]],
    ["the same text under another id", ["a", "messages", [new HumanMessage({ id: "7", content: "zero" })]]],
    ["the same text without an id", ["a", "messages", [["human", "zero"]]]],
    [
      "a list that replaces what is there",
      ["a", "messages", [new RemoveMessage({ id: "__remove_all__" }), pruned, added]],
    ],
  ];
  it.each(others)("keeps %s", (_, write) => {
    expect(withoutVainWrites(noted([write])).pendingWrites).toEqual([write]);
  });

  it("keeps a copy of what is there, shortened", () => {
    const short = [new HumanMessage({ id: "0", content: "z…" })];
    expect(withoutVainWrites(noted([["a", "messages", [pruned]]], short)).pendingWrites).toEqual([
      ["a", "messages", [pruned]],
    ]);
  });

  it("notes nothing where nothing with an id was pruned", () => {
    const metadata = { source: "loop" };
    expect(withNote(metadata, [])).toBe(metadata);
    expect(withNote(metadata, [{ role: "user", content: "zero" }])).toBe(metadata);
  });

  it("takes a tuple without writes", () => {
    const tuple = { checkpoint: { channel_values: {} } };
    expect(withoutVainWrites(tuple)).toBe(tuple);
  });
});
