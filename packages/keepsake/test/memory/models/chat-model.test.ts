import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { fakeModel } from "@langchain/core/testing";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { describe, expect, test } from "vitest";
import { MemoryEngine, memoryModel } from "../../../src/memory/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { request } from "./request.ts";

/** A chat model that binds tools, as providers' models do. */
class ToolModel extends BaseChatModel {
  readonly model = "tool-model";
  readonly answers: AIMessage[];
  readonly asked: { messages: BaseMessage[]; options: Record<string, unknown> }[] = [];

  constructor(answers: AIMessage[]) {
    super({ maxRetries: 0 });
    this.answers = answers;
  }

  override _llmType(): string {
    return "tool";
  }

  override bindTools(tools: unknown[]): Runnable<never, AIMessageChunk> {
    return this.withConfig({ tools } as never) as never;
  }

  override async _generate(messages: BaseMessage[], options: unknown): Promise<ChatResult> {
    this.asked.push({ messages, options: Object(options) });
    const message = this.answers.shift() ?? new AIMessageChunk("");
    return { generations: [{ text: "", message }] };
  }
}

/** A chat model that binds no tools. */
class TextModel extends BaseChatModel {
  readonly asked: BaseMessage[][] = [];

  constructor() {
    super({});
  }

  override _llmType(): string {
    return "text";
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.asked.push(messages);
    return { generations: [{ text: "", message: new AIMessage('{"facts":["tea"]}') }] };
  }
}

const usage = { input_tokens: 12, output_tokens: 3, total_tokens: 15 };
const costly = (message: AIMessage): AIMessage => Object.assign(message, { usage_metadata: usage });
const call = (args: Record<string, unknown>, name = "facts"): AIMessage =>
  costly(new AIMessageChunk({ content: "", tool_calls: [{ id: "c1", name, args }] }));

describe("a LangChain chat model", () => {
  test("is held to the schema by its name, and gives value and tokens", async () => {
    const model = new ToolModel([call({ facts: ["tea"] })]);
    const answer = await memoryModel(model).generate(request());
    expect(answer).toMatchObject({ value: { facts: ["tea"] }, tokens: { input: 12, output: 3 } });
    const [asked] = model.asked;
    expect(asked?.messages.map((message) => [message.getType(), message.text])).toEqual([
      ["system", "Find facts."],
      ["human", "I like tea."],
    ]);
    expect(asked?.options.tools).toMatchObject([
      { function: { name: "facts", parameters: { required: ["facts"] } } },
    ]);
    expect(memoryModel(model).name).toBe("tool-model");
  });

  test("that answered with words in place of a call gives the words", async () => {
    const refusal = costly(new AIMessageChunk("I cannot do that."));
    expect(await memoryModel(new ToolModel([refusal])).generate(request())).toEqual({
      text: "I cannot do that.",
      tokens: { input: 12, output: 3 },
    });
  });

  test.each<[string, AIMessage]>([
    [
      "invalid calls",
      new AIMessage({
        content: "",
        invalid_tool_calls: [{ id: "c1", name: "facts", args: '{"facts":["te', type: "invalid_tool_call" }],
      }),
    ],
    [
      "calls in chunks, which LangChain completes",
      new AIMessageChunk({
        content: "",
        tool_call_chunks: [
          { id: "c1", name: "facts", args: '{"facts":["te', index: 0, type: "tool_call_chunk" },
        ],
      }),
    ],
  ])("whose arguments break off gives them as text: %s", async (_name, broken) => {
    expect(await memoryModel(new ToolModel([broken])).generate(request())).toEqual({
      text: '{"facts":["te',
    });
  });

  test("that called the tool by another name gives its arguments all the same", async () => {
    const model = new ToolModel([call({ facts: ["tea"] }, "Facts")]);
    expect(await memoryModel(model).generate(request())).toMatchObject({ value: { facts: ["tea"] } });
  });

  test("passes the signal on", async () => {
    const model = new ToolModel([call({ facts: [] })]);
    const { signal } = new AbortController();
    await memoryModel(model).generate(request({ signal }));
    expect(model.asked[0]?.options.signal).toBeInstanceOf(AbortSignal);
    await expect(
      memoryModel(model).generate(request({ signal: AbortSignal.abort(new Error("stop")) })),
    ).rejects.toThrow("stop");
    expect(model.asked).toHaveLength(1);
  });

  test("without tools is asked for text, and shown the schema", async () => {
    const model = new TextModel();
    expect(await memoryModel(model).generate(request())).toEqual({ text: '{"facts":["tea"]}' });
    expect(model.asked).toHaveLength(1);
    expect(model.asked[0]?.[0]?.text).toContain('"required":["facts"]');
    expect(
      await memoryModel(new FakeListChatModel({ responses: ['{"facts":[]}'] })).generate(request()),
    ).toEqual({
      value: { facts: [] },
    });
  });

  test("whose structured output cannot parse the answer is asked for text", async () => {
    const fenced = '```json\n{"facts":[{"content":"Asha likes tea"},]}\n```';
    const model = new FakeListChatModel({ responses: [fenced] });
    expect(await memoryModel(model).generate(request())).toEqual({ text: fenced });
    const engine = new MemoryEngine({ store: new InMemoryStore(), model });
    expect(await engine.remember("x", ["memories", "asha"])).toMatchObject([{ content: "Asha likes tea" }]);
  });

  test("that gives the value alone is understood", async () => {
    const model = fakeModel().structuredResponse({ facts: ["tea"] });
    expect(await memoryModel(model).generate(request())).toEqual({ value: { facts: ["tea"] } });
  });

  test("whose structured output is nothing is asked for text", async () => {
    const model = fakeModel().respond(new AIMessage('{"facts":["tea"]}'));
    expect(await memoryModel(model).generate(request())).toEqual({ text: '{"facts":["tea"]}' });
    expect(String(model.calls[0]?.messages[0]?.content)).toContain('"required":["facts"]');
  });

  test("rejects with what the provider threw", async () => {
    const error = new Error("429 too many requests");
    await expect(memoryModel(fakeModel().alwaysThrow(error)).generate(request())).rejects.toBe(error);
  });
});
