import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { estimateTokens, MessageReducer } from "../../src/index.ts";

const picture = (bytes: number): string => `data:image/png;base64,${"A".repeat(bytes)}`;

/** Each way in which the formats carry media, for a number of bytes. */
const MEDIA: readonly [string, (bytes: number) => unknown][] = [
  [
    "OpenAI image_url",
    (bytes) => ({ role: "user", content: [{ type: "image_url", image_url: { url: picture(bytes) } }] }),
  ],
  [
    "OpenAI input_audio",
    (bytes) => ({
      role: "user",
      content: [{ type: "input_audio", input_audio: { data: "A".repeat(bytes), format: "wav" } }],
    }),
  ],
  [
    "OpenAI file",
    (bytes) => ({
      role: "user",
      content: [{ type: "file", file: { filename: "a.pdf", file_data: picture(bytes) } }],
    }),
  ],
  [
    "LangChain image_url as a string",
    (bytes) => new HumanMessage({ content: [{ type: "image_url", image_url: picture(bytes) }] }),
  ],
  [
    "LangChain image",
    (bytes) =>
      new HumanMessage({
        content: [{ type: "image", source_type: "base64", mime_type: "image/png", data: "A".repeat(bytes) }],
      }),
  ],
  [
    "LangChain audio",
    (bytes) =>
      new HumanMessage({
        content: [{ type: "audio", source_type: "base64", mime_type: "audio/wav", data: "A".repeat(bytes) }],
      }),
  ],
  [
    "LangChain file",
    (bytes) =>
      new HumanMessage({
        content: [
          { type: "file", source_type: "base64", mime_type: "application/pdf", data: "A".repeat(bytes) },
        ],
      }),
  ],
  [
    "an image in a tool result",
    (bytes) =>
      new ToolMessage({
        tool_call_id: "c1",
        content: [{ type: "image_url", image_url: { url: picture(bytes) } }],
      }),
  ],
  [
    "a serialised LangChain image",
    (bytes) =>
      new HumanMessage({ content: [{ type: "image_url", image_url: { url: picture(bytes) } }] }).toDict(),
  ],
  [
    "Responses input_image",
    (bytes) => ({
      type: "message",
      role: "user",
      content: [{ type: "input_image", image_url: picture(bytes), detail: "auto" }],
    }),
  ],
  [
    "Responses input_file",
    (bytes) => ({
      type: "message",
      role: "user",
      content: [{ type: "input_file", filename: "a.pdf", file_data: picture(bytes) }],
    }),
  ],
  [
    "Anthropic image",
    (bytes) => ({
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(bytes) } },
      ],
    }),
  ],
  [
    "Anthropic document",
    (bytes) => ({
      role: "user",
      content: [
        {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: "A".repeat(bytes) },
        },
      ],
    }),
  ],
  ["AI SDK image", (bytes) => ({ role: "user", content: [{ type: "image", image: new Uint8Array(bytes) }] })],
  [
    "AI SDK file",
    (bytes) => ({
      role: "user",
      content: [{ type: "file", data: "A".repeat(bytes), mediaType: "image/png" }],
    }),
  ],
  [
    "AI SDK file in a UIMessage",
    (bytes) => ({
      id: "u1",
      role: "user",
      parts: [{ type: "file", url: picture(bytes), mediaType: "image/png" }],
    }),
  ],
  [
    "Gemini inlineData",
    (bytes) => ({
      role: "user",
      parts: [{ inlineData: { mimeType: "image/png", data: "A".repeat(bytes) } }],
    }),
  ],
  [
    "Bedrock bytes",
    (bytes) => ({
      role: "user",
      content: [{ image: { format: "png", source: { bytes: new Uint8Array(bytes) } } }],
    }),
  ],
];

/** Each way in which a result carries a picture, for a number of bytes. */
const RESULTS: readonly [string, (bytes: number) => unknown][] = [
  [
    "Anthropic",
    (bytes) => ({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          content: [
            { type: "text", text: "a picture" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(bytes) } },
          ],
        },
      ],
    }),
  ],
  [
    "AI SDK",
    (bytes) => ({
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "look",
          output: {
            type: "content",
            value: [
              { type: "text", text: "a picture" },
              { type: "media", data: "A".repeat(bytes), mediaType: "image/png" },
            ],
          },
        },
      ],
    }),
  ],
  [
    "Bedrock",
    (bytes) => ({
      role: "user",
      content: [
        {
          toolResult: {
            toolUseId: "c1",
            content: [
              { text: "a picture" },
              { image: { format: "png", source: { bytes: new Uint8Array(bytes) } } },
            ],
          },
        },
      ],
    }),
  ],
  [
    "Responses",
    (bytes) => ({
      type: "function_call_output",
      call_id: "c1",
      output: [
        { type: "input_text", text: "a picture" },
        { type: "input_image", image_url: picture(bytes) },
      ],
    }),
  ],
];

describe("langchain-ai/langchain #34873, #38258, #40744: base64 is counted by its characters", () => {
  it.each(MEDIA)("%s costs the same whatever its bytes", (_, make) => {
    const tokens = estimateTokens(make(400_000));
    expect(tokens).toBe(estimateTokens(make(100)));
    expect(tokens).toBeLessThan(5000);
  });

  it.each(RESULTS)("a picture in a result of %s costs what a picture costs", (_, make) => {
    const tokens = estimateTokens(make(400_000));
    expect(tokens).toBe(estimateTokens(make(100)));
    expect(tokens).toBeGreaterThan(1000);
    expect(tokens).toBeLessThan(1050);
  });

  it.each([...MEDIA, ...RESULTS])("%s costs what the app says", (_, make) => {
    const tokens = estimateTokens(make(400_000), { mediaTokens: { image: 85, audio: 85, file: 85 } });
    expect(tokens).toBeGreaterThanOrEqual(85);
    expect(tokens).toBeLessThan(135);
  });

  it.each(MEDIA)("%s does not empty a window that has room for it", async (_, make) => {
    const messages = [
      { role: "user", content: "look" },
      { role: "assistant", content: "yes?" },
      make(400_000),
      { role: "assistant", content: "nice" },
    ];
    const inExchange = (make(1) as { tool_call_id?: string }).tool_call_id !== undefined;
    if (inExchange)
      messages.splice(1, 1, {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      } as never);
    const { pruned } = await new MessageReducer<unknown>({ maxTokens: 8000 }).reduce({ existing: messages });
    expect(pruned).toEqual([]);
  });
});

describe("earendil-works/pi PR #1441: pictures, files, calls and reasoning count nothing", () => {
  const nothing = estimateTokens({ role: "user", content: [] });

  it.each(MEDIA)("%s counts", (_, make) => {
    expect(estimateTokens(make(100))).toBeGreaterThan(nothing + 50);
  });

  const long = "a place by the window ".repeat(200);
  it.each([
    [
      "OpenAI arguments",
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c", type: "function", function: { name: "f", arguments: JSON.stringify({ long }) } },
        ],
      },
    ],
    [
      "LangChain arguments",
      new AIMessage({ content: "", tool_calls: [{ id: "c", name: "f", args: { long } }] }),
    ],
    [
      "LangChain thinking",
      new AIMessage({ content: [{ type: "thinking", thinking: long, signature: "s" }] }),
    ],
    ["reasoning parts", new AIMessage({ content: [{ type: "reasoning", reasoning: long }] })],
    [
      "a tool result in parts",
      new ToolMessage({ tool_call_id: "c", content: [{ type: "text", text: long }] }),
    ],
  ])("%s count", (_, message) => {
    expect(estimateTokens(message)).toBeGreaterThan(estimateTokens(long) * 0.65);
  });
});

describe("langchain-ai/langchainjs #8336: the counter crashes on content in parts", () => {
  const contents = [
    [],
    [{}],
    [null],
    [undefined],
    ["text"],
    [[]],
    [{ type: "text" }],
    [{ type: "text", text: null }],
    [{ type: 4 }],
    {},
    null,
    42,
    true,
  ];
  it.each(contents)("%j has a finite count", (content) => {
    for (const role of ["user", "assistant", "tool", "system"]) {
      const tokens = estimateTokens({ role, content });
      expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
    }
  });
});

describe("langchain-ai/langchain #35558, PR #39754: calls are counted double, other scripts by a fraction", () => {
  const fill = (text: string, length: number): string =>
    text.repeat(Math.ceil(length / text.length)).slice(0, length);
  // The right-hand numbers are o200k_base's counts of these very texts.
  it.each([
    [
      "Chinese",
      fill("我们下个月去里斯本旅行需要靠窗的座位和素食餐点请帮我预订酒店并提醒我带护照", 1000),
      838,
    ],
    [
      "Japanese",
      fill("来月リスボンへ旅行します。窓側の席と菜食の食事をお願いします。ホテルも予約してください。", 1000),
      663,
    ],
    [
      "Korean",
      fill(
        "다음 달에 리스본으로 여행을 갑니다 창가 좌석과 채식 식사를 부탁드립니다 호텔도 예약해 주세요 ",
        1000,
      ),
      512,
    ],
    [
      "Russian",
      fill("В следующем месяце мы летим в Лиссабон, нужно место у окна и вегетарианское питание. ", 1000),
      318,
    ],
    [
      "Arabic",
      fill("سنسافر الشهر القادم إلى لشبونة ونحتاج إلى مقعد بجانب النافذة ووجبة نباتية. ", 1000),
      332,
    ],
    ["Hindi", fill("अगले महीने हम लिस्बन जा रहे हैं और हमें खिड़की के पास सीट और शाकाहारी भोजन चाहिए। ", 1000), 331],
    ["emoji joined to families", "👩‍👩‍👧‍👦".repeat(1000), 11_000],
    ["emoji with skin tones", "👍🏽".repeat(1000), 3000],
    [
      "English",
      fill(
        "We fly to Lisbon next month and need a seat by the window, a vegetarian meal, and a hotel near the river. ",
        4000,
      ),
      944,
    ],
    [
      "code",
      fill("export function add(left: number, right: number): number {\n  return left + right;\n}\n", 3000),
      714,
    ],
  ])("%s is estimated within 35 %% of a tokeniser", (_, text, tokens) => {
    expect(Math.abs(estimateTokens(text) / tokens - 1)).toBeLessThan(0.35);
  });

  const args = {
    rows: Array.from({ length: 60 }, (_, id) => ({
      id,
      city: "Lisbon",
      price: 129.5 + id,
      seats: ["12A", "14C"],
    })),
  };
  const json = JSON.stringify(args.rows);
  it.each([
    [
      "OpenAI",
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: json } }],
      },
    ],
    ["LangChain", new AIMessage({ content: "", tool_calls: [{ id: "c", name: "f", args }] })],
    [
      "LangChain with the provider's own copy",
      new AIMessage({
        content: "",
        tool_calls: [{ id: "c", name: "f", args }],
        additional_kwargs: {
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: json } }],
        },
      }),
    ],
    [
      "LangChain with the provider's block",
      new AIMessage({
        content: [{ type: "tool_use", id: "c", name: "f", input: args }],
        tool_calls: [{ id: "c", name: "f", args }],
      }),
    ],
  ])("4 kB of arguments count once: %s", (_, message) => {
    expect(Math.abs(estimateTokens(message) / 1502 - 1)).toBeLessThan(0.35);
  });
});
