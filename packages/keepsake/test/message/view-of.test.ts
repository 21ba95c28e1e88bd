import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentHashOf, recordOf, viewOf } from "../../src/message/index.ts";

describe("content", () => {
  it.each<[string, unknown, string]>([
    ["a string", "hello", "hello"],
    ["nothing", undefined, ""],
    ["null", null, ""],
    ["an empty list", [], ""],
    [
      "parts",
      [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
      "one\ntwo",
    ],
    ["strings among parts", ["one", { type: "text", text: "two" }], "one\ntwo"],
    ["a picture", [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }], "[image]"],
    [
      "a sound beside text",
      [
        { type: "text", text: "hear" },
        { type: "input_audio", input_audio: { data: "AAAA" } },
      ],
      "hear\n[audio]",
    ],
    ["a file", [{ type: "file", file: { file_data: "AAAA" } }], "[file]"],
    ["an unknown part", [{ type: "weather", data: "AAAA" }], "[weather]"],
    [
      "reasoning",
      [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "yes" },
      ],
      "yes",
    ],
    ["a refusal", [{ type: "refusal", refusal: "no" }], "no"],
    ["an object", { temperature: 21 }, '{"temperature":21}'],
    ["a number", 7, "7"],
    ["holes and nulls", [null, undefined, { type: "text", text: "x" }], "x"],
  ])("reads %s", (_, content, text) => {
    expect(viewOf({ role: "user", content }).text).toBe(text);
  });

  it("never holds base64", () => {
    const data = "A".repeat(10_000);
    const parts = [
      "image_url",
      "input_image",
      "image",
      "audio",
      "input_audio",
      "video",
      "file",
      "document",
      "media",
    ].map((type) => ({
      type,
      data,
      [type]: { data, url: `data:x;base64,${data}` },
    }));
    expect(viewOf({ role: "user", content: parts }).text).not.toContain("AAAA");
  });

  it("survives a cycle, and depth", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(viewOf({ role: "user", content: cyclic }).text).toBe("[object]");
    let deep: unknown = "x";
    for (let level = 0; level < 50_000; level += 1) deep = { deep };
    expect(viewOf({ role: "user", content: deep }).text).toBe("[object]");
  });
});

describe("calls and results", () => {
  it("reads OpenAI's and LangChain's", () => {
    expect(
      viewOf({
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", function: { name: "f", arguments: "{}" } }],
      }).calls,
    ).toEqual(["c1"]);
    expect(
      viewOf(new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "f", args: {} }] })).calls,
    ).toEqual(["c1"]);
    expect(viewOf(new ToolMessage({ content: "r", tool_call_id: "c1" })).results).toEqual(["c1"]);
    expect(viewOf({ role: "tool", content: "r", tool_call_id: "c1" }).results).toEqual(["c1"]);
  });

  it("reads calls that are kept in additional_kwargs or in content blocks, each once", () => {
    const toolCalls = [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }];
    expect(viewOf({ type: "ai", content: "", additional_kwargs: { tool_calls: toolCalls } }).calls).toEqual([
      "c1",
    ]);
    const block = { type: "tool_use", id: "c1", name: "f", input: {} };
    expect(
      viewOf({ type: "ai", content: [block], tool_calls: [{ id: "c1", name: "f", args: {} }] }).calls,
    ).toEqual(["c1"]);
    expect(viewOf({ type: "ai", content: [block] })).toMatchObject({ calls: ["c1"], text: "" });
  });

  it("ignores calls on a user message and entries without id and name", () => {
    expect(viewOf({ role: "user", content: "x", tool_calls: [{ id: "c1" }] }).calls).toEqual([]);
    expect(viewOf({ role: "assistant", content: "x", tool_calls: [{ id: 7 }, null, "c", {}] }).calls).toEqual(
      ["7"],
    );
  });
});

describe("LangChain", () => {
  const messages = [
    new HumanMessage({ content: "hi", id: "m1", name: "Asha" }),
    new AIMessage({ content: [{ type: "text", text: "yes" }], id: "m2" }),
    new AIMessageChunk({ content: "yes", id: "m3" }),
    new SystemMessage("prompt"),
    new ToolMessage({ content: "r", tool_call_id: "c1" }),
    new FunctionMessage({ content: "r", name: "f" }),
    new ChatMessage("hi", "user"),
  ];
  it.each(messages.map((message) => [message.constructor.name, message] as const))(
    "reads %s the same in every form",
    (_, message) => {
      const view = viewOf(message);
      expect(view.role).not.toBe("other");
      for (const form of [message.toDict(), JSON.parse(JSON.stringify(message)), message.toJSON()]) {
        expect(viewOf(form)).toEqual(view);
        expect(contentHashOf(form)).toBe(contentHashOf(message));
      }
    },
  );
});

describe("the cache", () => {
  it("reads the id live", () => {
    const message: { role: string; content: string; id?: string } = { role: "user", content: "x" };
    expect(viewOf(message).id).toBeUndefined();
    message.id = "late";
    expect(viewOf(message).id).toBe("late");
  });

  it("sees content that is replaced, parts that are added, calls that come later", () => {
    const parts = [{ type: "text", text: "one" }];
    const message: Record<string, unknown> = { role: "assistant", content: "a" };
    expect(viewOf(message).text).toBe("a");
    message.content = parts;
    expect(viewOf(message).text).toBe("one");
    parts.push({ type: "text", text: "two" });
    expect(viewOf(message).text).toBe("one\ntwo");
    message.tool_calls = [{ id: "c1", function: { name: "f", arguments: "" } }];
    expect(viewOf(message).calls).toEqual(["c1"]);
  });

  it("sees another body in the same envelope", () => {
    const message = { type: "human", data: { content: "one" } };
    expect(viewOf(message).text).toBe("one");
    message.data = { content: "two" };
    expect(viewOf(message).text).toBe("two");
  });

  it("gives the same record for the same content", () => {
    const message = { role: "user", content: "x" };
    expect(recordOf(message)).toBe(recordOf(message));
  });

  it("tells a number that is an id from none", () => {
    const message = { role: "user", content: "x", id: 7 };
    expect(viewOf(message).id).toBe("7");
    expect(viewOf(message)).toBe(viewOf(message));
  });
});

describe("anything at all", () => {
  it.each([[null], [undefined], [7], ["text"], [[]], [[{ role: "user" }]], [Symbol("x")], [() => {}]])(
    "has a view: %s",
    (value) => {
      expect(viewOf(value)).toMatchObject({ role: "other", text: "", calls: [], results: [] });
    },
  );

  it("has a view where reading throws", () => {
    const thrower = {
      get role(): string {
        throw new Error("no");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(viewOf(thrower).role).toBe("other");
    expect(viewOf(proxy).role).toBe("other");
  });

  it("never throws and never changes the message", () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }),
        (value) => {
          const before = fc.stringify(value);
          const view = viewOf(value);
          contentHashOf(value);
          expect(typeof view.text).toBe("string");
          expect(fc.stringify(value)).toBe(before);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("never throws on messages with any content", () => {
    const message = fc.record(
      {
        role: fc.constantFrom("user", "assistant", "tool", "system", "x"),
        content: fc.oneof(
          fc.jsonValue(),
          fc.array(fc.record({ type: fc.string(), text: fc.jsonValue() }, { requiredKeys: [] })),
        ),
        tool_calls: fc.jsonValue(),
        tool_call_id: fc.jsonValue(),
        additional_kwargs: fc.jsonValue(),
      },
      { requiredKeys: ["role"] },
    );
    fc.assert(
      fc.property(message, (value) => {
        expect(typeof viewOf(value).text).toBe("string");
      }),
      { numRuns: 2000 },
    );
  });
});
