// Long on purpose: an oversized message in every format, and all that may become of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, rewriteTexts, viewOf } from "../../src/message/index.ts";
import { excerptOf, isExcerpt } from "../../src/reducer/excerpt.ts";
import {
  contentIds,
  MessageReducer,
  type ReducerConfig,
  type ReducerEvent,
} from "../../src/reducer/index.ts";
import { validateWindow, type WindowProvider } from "../../src/window/index.ts";
import { recordingLogger } from "./histories.ts";

type Message = Readonly<Record<string, unknown>>;

const scope = { namespace: ["memories", "asha"], threadId: "t1" };
const long = Array.from({ length: 4000 }, (_, index) => `line ${index} of the log`).join("\n");
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const user = (content: string, id?: string): Message => ({ role: "user", content, ...(id && { id }) });
const assistant = (content: string): Message => ({ role: "assistant", content });

const marker = /\[\.\.\. (\d+) characters left out \(keepsake [0-9a-f]{16}\) \.\.\.\]/;

/** A reducer that truncates, and what its hook was given. */
function truncating(config: ReducerConfig<Message> = {}): {
  reducer: MessageReducer<Message>;
  given: Message[];
  events: ReducerEvent[];
} {
  const given: Message[] = [];
  const events: ReducerEvent[] = [];
  const reducer = new MessageReducer<Message>({
    maxMessageTokens: 200,
    logger: recordingLogger(),
    onPrune: [(pruned) => void given.push(...pruned)],
    onEvent: (event) => events.push(event),
    ...config,
  });
  return { reducer, given, events };
}

describe("an excerpt", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
  it("has the beginning and the end of the text, whole graphemes, and says how much is missing", () => {
    const segmenter = new Intl.Segmenter();
    fc.assert(
      fc.property(text, fc.nat(300), (whole, most) => {
        const kept = Math.min(most, whole.length - 1);
        const excerpt = excerptOf(whole, kept);
        const [mark = "", count] = marker.exec(excerpt) ?? [];
        const [head = "", tail = ""] = excerpt.split(`\n${mark}\n`);
        expect(head.length + tail.length).toBeLessThanOrEqual(kept);
        expect(head.length + tail.length + Number(count)).toBe(whole.length);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        const boundaries = new Set([...segmenter.segment(whole)].map(({ index }) => index)).add(whole.length);
        expect([head.length, boundaries.has(head.length)]).toEqual([head.length, true]);
        expect(boundaries.has(whole.length - tail.length)).toBe(true);
        expect(isExcerpt(excerpt)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps families, flags and accents whole at every place", () => {
    const whole = "👩‍👩‍👧‍👦é🇩🇪🇫🇷x\r\nक्षि한".repeat(6);
    const segments = [...new Intl.Segmenter().segment(whole)];
    const boundaries = new Set(segments.map(({ index }) => index)).add(whole.length);
    for (let kept = 0; kept < whole.length; kept += 1) {
      const excerpt = excerptOf(whole, kept);
      const [head = "", tail = ""] = excerpt.split(/\n\[\.\.\. .* \.\.\.\]\n/);
      expect([kept, boundaries.has(head.length), boundaries.has(whole.length - tail.length)]).toEqual([
        kept,
        true,
        true,
      ]);
    }
  });

  it("is not what quotes one, or was changed", () => {
    const excerpt = excerptOf(long, 100);
    expect(isExcerpt(excerpt)).toBe(true);
    for (const other of [
      `What does this mean? ${excerpt}`,
      `${excerpt}.`,
      excerpt.replace("line 0", "line 1"),
      marker.exec(excerpt)?.[0] ?? "",
      excerpt.replace(/\d+ characters/, "9 characters"),
    ])
      expect(isExcerpt(other)).toBe(false);
    expect(isExcerpt(excerptOf(`${excerpt}${long}`, 400))).toBe(true);
  });
});

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

  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const call = {
    id: "c",
    type: "function",
    function: { name: "write", arguments: JSON.stringify({ long }) },
  };
  it.each<[string, number, Message]>([
    ["media", 1000, { role: "user", content: [{ type: "text", text: long }, image, image] }],
    [
      "results with media",
      1000,
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: long }, image, image] },
        ],
      },
    ],
    ["the arguments of calls", 1000, { role: "assistant", content: long, tool_calls: [call] }],
    [
      "many parts",
      1000,
      {
        role: "user",
        content: [
          image,
          image,
          ...Array.from({ length: 300 }, () => ({ type: "text", text: long.slice(0, 400) })),
        ],
      },
    ],
    ["nothing else, under a limit of one", 1, user(long)],
  ])("is as short as it can be beside %s that are over the limit", async (_, maxMessageTokens, message) => {
    const list =
      viewOf(message).results.length > 0
        ? [
            user("?"),
            { role: "assistant", content: [{ type: "tool_use", id: "c", name: "see", input: {} }] },
            message,
          ]
        : [user("?"), message];
    const { reducer, given } = truncating({ maxMessageTokens, maxTokens: 1500 });
    const { surviving, truncated, overBudget } = await reducer.reduce({ existing: list, ...scope });
    expect([truncated, given]).toEqual([[message], [message]]);
    const copy = surviving.at(-1);
    const { tool_calls: none, content } = copy as Message;
    const tokens = estimateTokens(copy);
    expect(tokens).toBeLessThan(estimateTokens(message));
    if (none === undefined && Array.isArray(content) && content.length < 100)
      expect(tokens).toBeLessThan(2200);
    expect(overBudget).toBe(surviving.reduce((sum, shown) => sum + estimateTokens(shown), 0) > 1500);
    const again = truncating({ maxMessageTokens, maxTokens: 1500 });
    const existing = json(surviving);
    expect(await again.reducer.reduce({ existing, ...scope })).toMatchObject({
      surviving: existing,
      truncated: [],
    });
  });

  it("keeps a short question beside media that are over the limit", async () => {
    const question = "What is on these two pictures, and how do they differ from those of yesterday? ".repeat(
      2,
    );
    const list = [{ role: "user", content: [{ type: "text", text: question }, image, image] }];
    const { reducer } = truncating({ maxMessageTokens: 1000 });
    expect(await reducer.reduce({ existing: list, ...scope })).toMatchObject({
      surviving: list,
      truncated: [],
    });
  });

  it("is shortened in its largest text, and keeps reasoning and calls", async () => {
    const reasoning = { type: "thinking", thinking: "a thought", signature: "s" };
    const message = {
      role: "assistant",
      content: [
        reasoning,
        { type: "text", text: "Look:" },
        { type: "text", text: long },
        { type: "tool_use", id: "c", name: "look", input: { at: 1 } },
      ],
    };
    const { reducer } = truncating();
    const { surviving } = await reducer.reduce({ existing: [user("?"), message], ...scope });
    const parts = (surviving[1] as typeof message).content;
    expect([parts[0], parts[1], parts[3]]).toEqual([
      reasoning,
      { type: "text", text: "Look:" },
      message.content[3],
    ]);
    expect(marker.test(String((parts[2] as { text: string }).text))).toBe(true);
  });

  it("of several large texts is shortened in as many as it takes", async () => {
    const content = [long, long, "end"].map((text) => ({ type: "text", text }));
    const { reducer } = truncating();
    const { truncated, surviving } = await reducer.reduce({
      existing: [{ role: "user", content }],
      ...scope,
    });
    expect(truncated).toHaveLength(1);
    expect(estimateTokens(surviving[0])).toBeLessThanOrEqual(200);
    expect(viewOf(surviving[0]).text.endsWith("end")).toBe(true);
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

/** A question, a call, and a result larger than the whole budget. */
const exchanges: Readonly<Record<string, [WindowProvider, Message[]]>> = {
  "OpenAI chat": [
    "openai-chat",
    [
      user("?"),
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: long },
    ],
  ],
  Responses: [
    "openai-responses",
    [
      { type: "message", role: "user", content: [{ type: "input_text", text: "?" }] },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: long },
    ],
  ],
  Anthropic: [
    "anthropic",
    [
      user("?"),
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: long }] }],
      },
    ],
  ],
  "AI SDK, text": [
    "any",
    [
      user("?"),
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "look", input: {} }] },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c", toolName: "look", output: { type: "text", value: long } },
        ],
      },
    ],
  ],
  "AI SDK, JSON": [
    "any",
    [
      user("?"),
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "look", input: {} }] },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c",
            toolName: "look",
            output: { type: "json", value: { lines: long.split("\n") } },
          },
        ],
      },
    ],
  ],
  "UI message": [
    "any",
    [
      { id: "1", role: "user", parts: [{ type: "text", text: "?" }] },
      {
        id: "2",
        role: "assistant",
        parts: [
          {
            type: "tool-look",
            toolCallId: "c",
            state: "output-available",
            input: {},
            output: { lines: long },
          },
        ],
      },
    ],
  ],
  Gemini: [
    "gemini",
    [
      { role: "user", parts: [{ text: "?" }] },
      { role: "model", parts: [{ functionCall: { name: "look", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "look", response: { output: long } } }] },
    ],
  ],
  "Gemini, JSON": [
    "gemini",
    [
      { role: "user", parts: [{ text: "?" }] },
      { role: "model", parts: [{ functionCall: { name: "look", args: {} } }] },
      {
        role: "user",
        parts: [{ functionResponse: { name: "look", response: { lines: long.split("\n") } } }],
      },
    ],
  ],
  Bedrock: [
    "bedrock",
    [
      { role: "user", content: [{ text: "?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "c", name: "look", input: {} } }] },
      { role: "user", content: [{ toolResult: { toolUseId: "c", content: [{ text: long }] } }] },
    ],
  ],
  "Bedrock, JSON": [
    "bedrock",
    [
      { role: "user", content: [{ text: "?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "c", name: "look", input: {} } }] },
      {
        role: "user",
        content: [{ toolResult: { toolUseId: "c", content: [{ json: { lines: long.split("\n") } }] } }],
      },
    ],
  ],
};

describe.each(Object.entries(exchanges))(
  "a result larger than the whole budget: %s",
  (_, [provider, messages]) => {
    it("does not end in a loop: the window fits, is valid, and stays the same", async () => {
      const { reducer, given } = truncating({ maxTokens: 1000, maxMessageTokens: 500 });
      const before = json(messages);
      const first = await reducer.reduce({ existing: messages, ...scope });
      expect(messages).toEqual(before);
      expect(first).toMatchObject({
        overBudget: false,
        pruned: [messages.at(-1)],
        truncated: [messages.at(-1)],
      });
      expect(given).toEqual([messages.at(-1)]);
      expect(first.surviving).toHaveLength(messages.length);
      expect(validateWindow(first.surviving, { provider })).toEqual([]);
      expect(viewOf(first.surviving.at(-1)).results).toEqual(viewOf(messages.at(-1)).results);
      const again = truncating({ maxTokens: 1000, maxMessageTokens: 500 });
      const second = await again.reducer.reduce({ existing: json(first.surviving), ...scope });
      expect(second).toMatchObject({ surviving: json(first.surviving), pruned: [], truncated: [] });
      await again.reducer.handOver({ messages: json(first.surviving), ...scope });
      expect(again.given).toHaveLength(messages.length - 1);
    });
  },
);

it("leaves no writer out: a copy of every text is made", () => {
  for (const [, messages] of Object.values(exchanges))
    expect(rewriteTexts(messages.at(-1), (texts) => texts.map((text) => `${text}.`))).toBeDefined();
});
