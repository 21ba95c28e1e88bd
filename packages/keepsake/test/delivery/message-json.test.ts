import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { langchainCodec } from "../../src/adapters/langgraph/message-codec.ts";
import { durable, InMemoryOutbox, messageJson } from "../../src/delivery/index.ts";
import { rememberVerbatim } from "../../src/memory/index.ts";
import { contentHashOf, viewOf } from "../../src/message/index.ts";
import { InMemoryStore } from "../../src/store/index.ts";

const langChain: readonly BaseMessage[] = [
  new HumanMessage({ content: "Hello", id: "h", additional_kwargs: { timestamp: "2026-05-08T10:00:00Z" } }),
  new HumanMessage({
    content: [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
    ],
  }),
  new AIMessage({
    content: "",
    id: "a",
    tool_calls: [{ id: "c1", name: "weather", args: { city: "Graz" } }],
    usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    response_metadata: { model_provider: "x" },
  } as object),
  new AIMessageChunk({ content: "streamed", id: "s" }),
  new ToolMessage({
    content: "sunny",
    tool_call_id: "c1",
    id: "t",
    artifact: { raw: [1, 2] },
    status: "success",
  }),
  new SystemMessage("Be kind."),
  new ChatMessage({ content: "q", role: "critic" }),
];

const plain: readonly Record<string, unknown>[] = [
  { role: "user", content: "Hello", id: "1" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "c", content: "ok" },
      { type: "text", text: "and" },
    ],
  },
  { type: "function_call_output", call_id: "c", output: "done", id: "fo" },
  { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
  { role: "user", content: "odd \u0000 \ud800 \u2028", __proto__: null },
];

describe("messageJson", () => {
  test.each(plain.map((message, index) => [index, message]))(
    "leaves plain message %i as it is",
    (_, message) => {
      const json = messageJson(message);
      expect(json).toEqual(message);
      expect(json).not.toBe(message);
      expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    },
  );

  test.each(langChain.map((message) => [message.constructor.name, message]))(
    "keeps a %s so that it reads alike",
    (_, message) => {
      const json = JSON.parse(JSON.stringify(messageJson(message)));
      expect(viewOf(json)).toEqual(viewOf(message));
      expect(contentHashOf(json)).toBe(contentHashOf(message));
      expect(json.content).toEqual(message.content);
      expect(Object.keys(json).filter((name) => name.startsWith("lc_"))).toEqual([]);
    },
  );

  test("keeps an id that a host set late", () => {
    const late = new HumanMessage("Hello");
    late.id = "late";
    expect(messageJson(late)).toMatchObject({ id: "late", type: "human" });
  });

  test("writes dates and URLs as text, and bytes as base64", () => {
    const bytes = new Uint8Array(20_000).fill(255);
    const message = {
      role: "user",
      createdAt: new Date(0),
      content: [
        { type: "image", image: bytes, mediaType: "image/png" },
        { type: "image", image: new URL("https://example.com/a.png") },
        { type: "file", data: Buffer.from("abc"), mediaType: "text/plain" },
        { type: "file", data: new Uint8Array([1, 2, 3]).buffer, mediaType: "text/plain" },
      ],
    };
    const json = messageJson(message);
    expect(json).toEqual({
      role: "user",
      createdAt: "1970-01-01T00:00:00.000Z",
      content: [
        { type: "image", image: Buffer.from(bytes).toString("base64"), mediaType: "image/png" },
        { type: "image", image: "https://example.com/a.png" },
        { type: "file", data: "YWJj", mediaType: "text/plain" },
        { type: "file", data: "AQID", mediaType: "text/plain" },
      ],
    });
    expect(contentHashOf(json)).toBe(contentHashOf(message));
  });

  test("keeps an object of the app's own class as its fields, where it reads alike", () => {
    class Own {
      role = "user";
      content = "Hello";
      id = "own";
    }
    expect(messageJson(new Own())).toEqual({ role: "user", content: "Hello", id: "own" });
    class Hidden {
      get role(): string {
        return "user";
      }
      get content(): string {
        return "Hello";
      }
    }
    expect(() => messageJson(new Hidden())).toThrow("reads otherwise");
  });

  const cycle: Record<string, unknown> = { role: "user", content: "x", id: "7" };
  cycle.self = { cycle };
  let deep: unknown = "x";
  for (let index = 0; index < 50_000; index += 1) deep = [deep];

  test.each([
    ["a function", { a: [{ f: () => 1 }] }, "a[0].f"],
    ["a bigint", { n: 1n }, "n"],
    ["a symbol", { s: Symbol("s") }, "s"],
    ["a Map", { m: new Map() }, "m"],
    ["a Set", { content: [new Set()] }, "content[0]"],
    ["an Error", { e: new Error("x") }, "e"],
    ["a promise", { p: Promise.resolve() }, "p"],
  ])("refuses %s with the id and the path", (_, fields, path) => {
    const refuse = (): unknown => messageJson({ role: "user", content: "x", id: "7", ...fields });
    expect(refuse).toThrow(
      expect.objectContaining({ code: "unserialisable_message", data: { id: "7", path } }),
    );
  });

  test("refuses a cycle, and what is nested beyond reason", () => {
    const data = { id: "7", path: "self.cycle" };
    expect(() => messageJson(cycle)).toThrow(expect.objectContaining({ data }));
    expect(() => messageJson({ role: "user", content: "x", deep })).toThrow("nested too deeply");
  });
});

describe("langchainCodec", () => {
  test.each(langChain.map((message) => [message.constructor.name, message]))(
    "gives a %s again",
    (_, message) => {
      const again = langchainCodec.decode(JSON.parse(JSON.stringify(langchainCodec.encode(message))));
      expect(again.constructor.name).toBe(message.constructor.name.replace("Chunk", ""));
      expect({ ...again, lc_kwargs: 0 }).toMatchObject({
        id: message.id,
        content: message.content,
        additional_kwargs: message.additional_kwargs,
        response_metadata: message.response_metadata,
      });
      expect(Object(again).artifact).toEqual(Object(message).artifact);
      expect(Object(again).usage_metadata).toEqual(Object(message).usage_metadata);
      expect(viewOf(again)).toEqual(viewOf(message));
    },
  );

  test("leaves what is no message of LangChain's", () => {
    expect(langchainCodec.decode({ role: "user", content: "x" })).toEqual({ role: "user", content: "x" });
    expect(langchainCodec.decode("text")).toBe("text");
  });
});

test.each([
  ["without a codec", undefined],
  ["with langchainCodec", langchainCodec],
])("rememberVerbatim keeps the same items from an outbox as without one, %s", async (_, codec) => {
  const namespace = ["memories", "asha"];
  const inline = new InMemoryStore();
  const { signal } = new AbortController();
  const context = { deliveryId: "d", attempt: 1, threadId: "t1", signal };
  const messages = langChain.filter(({ id }) => id !== undefined);
  await rememberVerbatim<BaseMessage>(inline)([...messages], namespace, context);
  const store = new InMemoryStore();
  const hook = durable<BaseMessage>(rememberVerbatim(store), {
    name: "remember",
    outbox: new InMemoryOutbox(),
    ...(codec && { codec }),
  });
  await hook([...messages], namespace, context);
  await hook.drain();
  const items = async (of: InMemoryStore): Promise<unknown> =>
    (await of.search(namespace)).map(({ key, value }) => [key, value]).sort();
  expect(await items(store)).toEqual(await items(inline));
  expect(await store.count(namespace)).toBe(messages.length);
});

test("numbers and dates that JSON has no form for become null, as in JSON.stringify", () => {
  const odd = {
    role: "user",
    content: "x",
    score: Number.NaN,
    most: Number.POSITIVE_INFINITY,
    at: new Date(Number.NaN),
  };
  expect(messageJson(odd)).toEqual(JSON.parse(JSON.stringify(odd)));
});
