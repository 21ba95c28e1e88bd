import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { MemorySaver, uuid6 } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import { viewOf } from "../../src/message/index.ts";
import { MessageReducer, type ReducerConfig } from "../../src/reducer/index.ts";
import { validateWindow, type WindowProvider } from "../../src/window/index.ts";
import { recordingLogger } from "./histories.ts";

type Message = Readonly<Record<string, unknown>>;

const scope = { namespace: ["memories", "asha"], threadId: "t1" };

/** What a conversation is made of, in one format. */
interface Format {
  readonly provider: WindowProvider;
  user(text: string): Message;
  assistant(text: string): Message;
  call(id: string): Message[];
  result(id: string): Message[];
}

const formats: Readonly<Record<string, Format>> = {
  "OpenAI chat": {
    provider: "openai-chat",
    user: (content) => ({ role: "user", content }),
    assistant: (content) => ({ role: "assistant", content }),
    call: (id) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "look", arguments: "{}" } }],
      },
    ],
    result: (id) => [{ role: "tool", tool_call_id: id, content: "found" }],
  },
  Responses: {
    provider: "openai-responses",
    user: (text) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] }),
    assistant: (text) => ({
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    }),
    call: (id) => [{ type: "function_call", call_id: id, name: "look", arguments: "{}" }],
    result: (id) => [{ type: "function_call_output", call_id: id, output: "found" }],
  },
  Anthropic: {
    provider: "anthropic",
    user: (text) => ({ role: "user", content: [{ type: "text", text }] }),
    assistant: (text) => ({ role: "assistant", content: [{ type: "text", text }] }),
    call: (id) => [{ role: "assistant", content: [{ type: "tool_use", id, name: "look", input: {} }] }],
    result: (id) => [{ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "found" }] }],
  },
  Gemini: {
    provider: "gemini",
    user: (text) => ({ role: "user", parts: [{ text }] }),
    assistant: (text) => ({ role: "model", parts: [{ text }] }),
    call: (id) => [{ role: "model", parts: [{ functionCall: { id, name: "look", args: {} } }] }],
    result: (id) => [
      { role: "user", parts: [{ functionResponse: { id, name: "look", response: { output: "found" } } }] },
    ],
  },
  Bedrock: {
    provider: "bedrock",
    user: (text) => ({ role: "user", content: [{ text }] }),
    assistant: (text) => ({ role: "assistant", content: [{ text }] }),
    call: (toolUseId) => [
      { role: "assistant", content: [{ toolUse: { toolUseId, name: "look", input: {} } }] },
    ],
    result: (toolUseId) => [
      { role: "user", content: [{ toolResult: { toolUseId, content: [{ text: "found" }] } }] },
    ],
  },
};

const blocksIn = (messages: readonly unknown[], mark = "<conversation_summary>"): number =>
  messages.filter((message) => viewOf(message).text.includes(mark)).length;

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A summariser that counts its calls. */
const counting = (): (() => string) => {
  let calls = 0;
  return () => {
    calls += 1;
    return `summary ${calls}`;
  };
};

/** Reduces a conversation message by message, each time by a reducer of another process, and gives back every window. */
async function windowsOf(messages: readonly Message[], config: ReducerConfig<Message>): Promise<Message[][]> {
  const summarize = counting();
  const windows: Message[][] = [];
  let existing: Message[] = [];
  for (const message of messages) {
    const logger = recordingLogger();
    const reducer = new MessageReducer<Message>({ summarize, injectSummary: true, logger, ...config });
    const result = await reducer.reduce({ existing: json(existing), new: [message], ...scope });
    existing = result.surviving;
    windows.push(existing);
  }
  return windows;
}

describe.each(Object.entries(formats))("the block in %s", (_, format) => {
  const chat = Array.from({ length: 9 }, (_, index) => [
    format.user(`question ${index}`),
    format.assistant(`answer ${index}`),
  ]).flat();
  const tools = [
    format.user("question"),
    ...["a", "b", "c", "d", "e"].flatMap((id) => [...format.call(id), ...format.result(id)]),
    format.assistant("answer"),
    format.user("next question"),
    ...["f", "g", "h"].flatMap((id) => [...format.call(id), ...format.result(id)]),
  ];
  const greeted = [...chat.slice(0, 2), ...tools, format.assistant("found"), ...chat];

  it.each([
    ["of turns", chat],
    ["of one long turn", tools],
    ["behind a preserved first turn", greeted],
  ])("is one, and breaks no window %s", async (_, conversation) => {
    for (const maxMessages of [4, 5, 6, 8])
      for (const preserveFirst of [true, false]) {
        const without = { injectSummary: false, maxMessages, minMessages: 1, preserveFirst } as const;
        const plain = await windowsOf(conversation, without);
        const windows = await windowsOf(conversation, { ...without, injectSummary: true });
        // Where no more than four messages have room, what must stay may leave none for a block.
        if (maxMessages > 4) expect(windows.some((window) => blocksIn(window) === 1)).toBe(true);
        let begun = false;
        for (const [index, window] of windows.entries()) {
          begun ||= blocksIn(window) > 0;
          expect(blocksIn(window)).toBe(begun ? 1 : 0);
          if (validateWindow(plain[index] ?? [], format).length === 0)
            expect([preserveFirst, maxMessages, window, validateWindow(window, format)]).toEqual([
              preserveFirst,
              maxMessages,
              window,
              [],
            ]);
        }
      }
  });
});

it("is not put between a call and a result with words beside it", async () => {
  const existing = [
    { role: "user", content: "question" },
    { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input: {} }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c", content: "found" },
        { type: "text", text: "and?" },
      ],
    },
  ];
  const reducer = new MessageReducer<Message>({
    maxMessages: 4,
    minMessages: 0,
    preserveFirst: false,
    boundary: "message",
    summarize: counting(),
    injectSummary: true,
  });
  const { surviving } = await reducer.reduce({ existing: [...turn(0), ...existing], ...scope });
  expect(blocksIn(surviving)).toBe(1);
  expect(surviving.slice(-2)).toEqual(existing.slice(-2));
});

/** A turn of plain messages. */
function turn(index: number): Message[] {
  return [
    { role: "user", content: `question ${index}`, id: `u${index}` },
    { role: "assistant", content: `answer ${index}`, id: `a${index}` },
  ];
}
const chat = Array.from({ length: 9 }, (_, index) => turn(index)).flat();
const small = { maxMessages: 6, minMessages: 2 } as const;

describe("the app's own block", () => {
  it.each<[string, (text: string, count: number) => Message[]]>([
    [
      "a user message and an answer",
      (text) => [
        { role: "user", content: `What was said before: ${text}` },
        { role: "assistant", content: "I see." },
      ],
    ],
    [
      "a count in it",
      (text, count) => [
        {
          role: "user",
          content: `${count} ${count === 1 ? "message was" : "messages were"} left out (a+b)\n${text}\n`,
        },
      ],
    ],
    ["a prompt", (text) => [{ role: "system", content: `Earlier in this talk, told in short:\n${text}` }]],
    [
      "parts",
      (text) => [
        {
          role: "user",
          content: [
            { type: "text", text: "Earlier in this talk:" },
            { type: "text", text },
          ],
        },
      ],
    ],
  ])("is known again in another process: %s", async (_, summaryMessages) => {
    const windows = await windowsOf([{ role: "system", content: "Be kind" }, ...chat], {
      ...small,
      summaryMessages,
    });
    const last = windows.at(-1) ?? [];
    expect(last.filter((message) => viewOf(message).text.includes("summary "))).toHaveLength(1);
    for (const window of windows)
      expect(window.filter((message) => viewOf(message).text.includes("summary ")).length).toBeLessThan(2);
    expect(last.length).toBeLessThanOrEqual(6);
  });

  it("of prompts stands behind the prompt", async () => {
    const summaryMessages = (text: string): Message[] => [
      { role: "system", content: `Told in short before: ${text}` },
    ];
    const windows = await windowsOf([{ role: "system", content: "Be kind" }, ...chat], {
      ...small,
      summaryMessages,
    });
    const roles = windows.at(-1)?.map((message) => viewOf(message).role) ?? [];
    expect(roles.slice(0, 3)).toEqual(["system", "system", "human"]);
    expect(roles.lastIndexOf("system")).toBe(1);
  });

  it("is not what a user writes with little around it, nor the latest message", async () => {
    const summaryMessages = (text: string): Message[] => [{ role: "user", content: `Sum: ${text}` }];
    const delivered: Message[] = [];
    const reducer = new MessageReducer<Message>({
      ...small,
      summaryMessages,
      summarize: counting(),
      injectSummary: true,
      onPrune: [(pruned) => void delivered.push(...pruned)],
    });
    const typed = [{ role: "user", content: "Sum: 3 + 4", id: "typed" }, ...chat];
    await reducer.reduce({ existing: typed, ...scope, threadId: "t2" });
    const other = new MessageReducer<Message>({
      ...small,
      preserveFirst: false,
      summaryMessages,
      summarize: counting(),
      injectSummary: true,
      onPrune: [(pruned) => void delivered.push(...pruned)],
    });
    await other.reduce({ existing: typed, ...scope });
    expect(delivered).toContain(typed[0]);
    const long = (text: string): Message[] => [
      { role: "user", content: `Everything that was said before: ${text}` },
    ];
    const latest = [...chat, ...long("nothing")];
    const third = new MessageReducer<Message>({
      ...small,
      summaryMessages: long,
      summarize: counting(),
      injectSummary: true,
    });
    const { surviving } = await third.reduce({ existing: latest, ...scope });
    expect(surviving.at(-1)).toBe(latest.at(-1));
  });

  it.each<[string, unknown]>([
    ["a text", "summary"],
    ["no message", [7]],
    ["nothing", undefined],
    ["an empty list", []],
    [
      "a tool call",
      [
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "c", function: { name: "f", arguments: "{}" } }],
        },
      ],
    ],
    ["a result", [{ role: "tool", tool_call_id: "c", content: "" }]],
  ])("that is %s is a summary that failed, and no model is asked", async (_, made) => {
    const logger = {
      warnings: [] as unknown[],
      debug() {},
      warn: (...details: unknown[]) => void logger.warnings.push(details.join(" ")),
    };
    let asked = 0;
    const reducer = new MessageReducer<Message>({
      ...small,
      logger,
      injectSummary: true,
      summaryMessages: () => made as Message[],
      summarize: () => {
        asked += 1;
        return "a summary";
      },
    });
    const { summary, surviving } = await reducer.reduce({ existing: chat, ...scope });
    expect([summary, asked]).toEqual([null, 0]);
    expect(surviving.every((message) => chat.includes(message))).toBe(true);
    expect(logger.warnings).toHaveLength(1);
    expect(String(logger.warnings)).toContain("summaryMessages must return a list of messages");
  });
});

describe("a LangGraph checkpoint", () => {
  it.each<[string, Partial<ReducerConfig<unknown>>]>([
    ["the standard block", {}],
    [
      "the app's own block",
      { summaryMessages: (text) => [new SystemMessage(`Told in short, before this: ${text}`)] },
    ],
  ])("keeps %s one", async (_, config) => {
    const saver = new MemorySaver();
    const summarize = counting();
    const threadConfig = { configurable: { thread_id: "1", checkpoint_ns: "" } };
    let existing: unknown[] = [];
    for (let index = 0; index < 8; index += 1) {
      const reducer = new MessageReducer<unknown>({
        ...small,
        logger: recordingLogger(),
        summarize,
        injectSummary: true,
        ...config,
      });
      const added = [new HumanMessage(`question ${index}`), new AIMessage(`answer ${index}`)];
      const { surviving } = await reducer.reduce({ existing, new: added, ...scope });
      await saver.put(
        threadConfig,
        {
          v: 4,
          id: uuid6(index),
          ts: "2026-01-01T00:00:00Z",
          channel_values: { messages: surviving },
          channel_versions: {},
          versions_seen: {},
        },
        { source: "loop", step: index, parents: {} },
      );
      const saved = await saver.getTuple(threadConfig);
      existing = saved?.checkpoint.channel_values.messages as unknown[];
      expect(existing.filter((message) => viewOf(message).text.includes("summary ")).length).toBe(
        index < 3 ? 0 : 1,
      );
    }
  });
});
