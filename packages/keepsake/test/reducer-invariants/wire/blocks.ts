import { wire, writeBeats } from "./chat.ts";
import { resultOf, textOf, type Wire, type WireFormat } from "./format.ts";
import { anthropicRefusals } from "./refusals-anthropic.ts";
import { bedrockRefusals } from "./refusals-bedrock.ts";
import { geminiRefusals } from "./refusals-gemini.ts";
import type { Answer } from "./script.ts";

/** How a format of blocks writes what an answer consists of. */
interface Blocks {
  readonly assistant: string;
  text(text: string): unknown;
  image(label: string): unknown;
  thought(label: string): unknown;
  call(id: string): unknown;
  result(id: string): unknown;
  /** A tool that the provider runs, and what it found. */
  hosted?(label: string): readonly [unknown, unknown];
  message(role: string, blocks: readonly unknown[], label: string): unknown;
}

/** Writes conversations whose results are blocks in the user's messages. */
function blockWriter(blocks: Blocks): WireFormat["write"] {
  return (beats) =>
    writeBeats(
      beats,
      (role, { label, image }) =>
        blocks.message(role, [image ? blocks.image(label) : blocks.text(textOf(label))], label),
      (beat) => writeAnswer(blocks, beat),
    );
}

function writeAnswer(blocks: Blocks, beat: Answer): Wire[] {
  const { label, reasons, says, calls, resultOrder, together, words, hosted } = beat;
  const text = says ? [blocks.text(textOf(label))] : [];
  const own = calls.map((id) => blocks.call(id));
  const head = reasons ? [blocks.thought(label)] : [];
  const [search, found] = blocks.hosted?.(label) ?? [];
  const rows =
    search === undefined || hosted === "none"
      ? [[...head, ...(text.length + own.length === 0 ? [blocks.text(textOf(label))] : text), ...own]]
      : hosted === "same"
        ? [[...head, search, found, ...text, ...own]]
        : [
            [...head, search],
            [found, ...text, ...own],
          ];
  const results = resultOrder.map((id) => blocks.result(id));
  const said = words ? [blocks.text(`words beside ${label}`)] : [];
  const answers =
    results.length === 0 ? [] : together ? [[...results, ...said]] : results.map((result) => [result]);
  return [
    ...rows.map((row, at) =>
      wire(blocks.message(blocks.assistant, row, at < rows.length - 1 ? `${label}-s` : label), "ai", beat),
    ),
    ...answers.map((answer, at) => wire(blocks.message("user", answer, `${label}-r${at}`), "result", beat)),
  ];
}

const blanks = (variant: number, blank: unknown): unknown => [[], [blank]][variant % 2];

const anthropicBlocks: Blocks = {
  assistant: "assistant",
  text: (text) => ({ type: "text", text }),
  image: () => ({ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }),
  thought: (label) =>
    label.length % 2 === 0
      ? { type: "thinking", thinking: "let me see", signature: `sig-${label}` }
      : { type: "redacted_thinking", data: `sealed-${label}` },
  call: (id) => ({ type: "tool_use", id, name: "look_up", input: { of: id } }),
  result: (id) => ({ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: resultOf(id) }] }),
  hosted: (label) => [
    { type: "server_tool_use", id: `srvtoolu_${label}`, name: "web_search", input: { query: label } },
    { type: "web_search_tool_result", tool_use_id: `srvtoolu_${label}`, content: [] },
  ],
  message: (role, content) => ({ role, content }),
};

/** Anthropic's messages: results in the user's messages, next to text. */
export const anthropic: WireFormat = {
  name: "anthropic",
  providers: ["anthropic", "any"],
  write: blockWriter(anthropicBlocks),
  orphan: (call) => ({ role: "user", content: [anthropicBlocks.result(call)] }),
  blank: (role, variant) => ({
    role,
    content: variant % 3 === 0 ? "" : blanks(variant, { type: "text", text: " " }),
  }),
  thought: (label) => ({ role: "assistant", content: [anthropicBlocks.thought(label)] }),
  refusals: anthropicRefusals,
};

function geminiBlocks(withIds: boolean): Blocks {
  return {
    assistant: "model",
    text: (text) => ({ text }),
    image: () => ({ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }),
    thought: () => ({ text: "let me see", thought: true }),
    call: (id) => ({
      functionCall: {
        ...(withIds ? { id } : {}),
        name: withIds ? "look_up" : `look_up_${id}`,
        args: { of: id },
      },
      thoughtSignature: `sig-${id}`,
    }),
    result: (id) => ({
      functionResponse: {
        ...(withIds ? { id } : {}),
        name: withIds ? "look_up" : `look_up_${id}`,
        response: { output: resultOf(id) },
      },
    }),
    hosted: () => [
      { executableCode: { language: "PYTHON", code: "1+1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "2" } },
    ],
    message: (role, parts) => ({ role, parts }),
  };
}

function gemini(name: string, blocks: Blocks): WireFormat {
  return {
    name,
    providers: ["gemini", "any"],
    // Code runs within one content, and with its result there is something said.
    write: (beats) =>
      blockWriter(blocks)(
        beats.map((beat) =>
          beat.kind === "answer" && beat.hosted === "next" ? { ...beat, hosted: "same" } : beat,
        ),
      ),
    orphan: (call) => ({ role: "user", parts: [blocks.result(call)] }),
    blank: (role, variant) => ({
      role: role === "user" ? "user" : "model",
      parts: blanks(variant, { text: " " }),
    }),
    thought: (label) => ({ role: "model", parts: [blocks.thought(label)] }),
    refusals: geminiRefusals,
  };
}

/** Gemini's contents with the ids that Vertex and the Live API give. */
export const geminiWithIds: WireFormat = gemini("gemini", geminiBlocks(true));
/** Gemini's contents as they mostly are: calls are known by their name. */
export const geminiWithoutIds: WireFormat = gemini("gemini-without-ids", geminiBlocks(false));

const bedrockBlocks: Blocks = {
  assistant: "assistant",
  text: (text) => ({ text }),
  image: () => ({ image: { format: "png", source: { bytes: "iVBORw0KGgo=" } } }),
  thought: (label) => ({
    reasoningContent: { reasoningText: { text: "let me see", signature: `sig-${label}` } },
  }),
  call: (id) => ({ toolUse: { toolUseId: id, name: "look_up", input: { of: id } } }),
  result: (id) => ({ toolResult: { toolUseId: id, content: [{ text: resultOf(id) }], status: "success" } }),
  message: (role, content) => ({ role, content }),
};

/** Bedrock's Converse: one message for all results, as roles must alternate. */
export const bedrock: WireFormat = {
  name: "bedrock",
  providers: ["bedrock", "any"],
  write: (beats) =>
    blockWriter(bedrockBlocks)(
      beats.map((beat) => (beat.kind === "answer" ? { ...beat, together: true } : beat)),
    ),
  orphan: (call) => ({ role: "user", content: [bedrockBlocks.result(call)] }),
  blank: (role, variant) => ({
    role,
    content: [[], [{ text: " " }], [{ cachePoint: { type: "default" } }]][variant % 3],
  }),
  thought: (label) => ({ role: "assistant", content: [bedrockBlocks.thought(label)] }),
  refusals: bedrockRefusals,
};

/** Strands' messages, as its sessions save them. */
export const strands: WireFormat = {
  ...bedrock,
  name: "strands",
  write: blockWriter({
    ...bedrockBlocks,
    thought: (label) => ({ reasoning: { text: "let me see", signature: `sig-${label}` } }),
    message: (role, content, label) => ({ role, content, trackingId: label, metadata: { custom: {} } }),
  }),
};
