import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { resultOf, textOf, type Wire, type WireFormat } from "./format.ts";
import { chatRefusals } from "./refusals-chat.ts";
import type { Answer, Beat } from "./script.ts";

/** Writes each beat of a conversation, one after the other. */
export function writeBeats(
  beats: readonly Beat[],
  plain: (role: "system" | "user", beat: Exclude<Beat, Answer>) => unknown,
  answer: (beat: Answer) => Wire[],
): Wire[] {
  return beats.flatMap((beat) =>
    beat.kind === "answer"
      ? answer(beat)
      : [{ message: plain(beat.kind, beat), kind: beat.kind, group: beat.label, tokens: beat.tokens }],
  );
}

/** A wire message of an answer. */
export const wire = (
  message: unknown,
  kind: Wire["kind"],
  { label, tokens }: Answer,
  group = label,
): Wire => ({
  message,
  kind,
  group,
  tokens,
});

const functionCall = (id: string): unknown => ({
  id,
  type: "function",
  function: { name: "look_up", arguments: `{"of":"${id}"}` },
});

/** OpenAI's chat messages; reasoning is not sent back there. */
export const openAiChat: WireFormat = {
  name: "openai-chat",
  providers: ["openai-chat", "any"],
  reusesCalls: true,
  write: (beats) =>
    writeBeats(
      beats,
      (role, { label, image }) => ({
        role: role === "system" && label.length % 2 === 0 ? "developer" : role,
        content: image
          ? [{ type: "image_url", image_url: { url: `https://example.org/${label}.png` } }]
          : textOf(label),
      }),
      (beat) => {
        const { says, calls, resultOrder, label } = beat;
        const content = says || calls.length === 0 ? textOf(label) : null;
        const message = {
          role: "assistant",
          content,
          ...(calls.length > 0 ? { tool_calls: calls.map(functionCall) } : {}),
        };
        const results = resultOrder.map((id) => ({ role: "tool", tool_call_id: id, content: resultOf(id) }));
        return [wire(message, "ai", beat), ...results.map((result) => wire(result, "result", beat))];
      },
    ),
  orphan: (call) => ({ role: "tool", tool_call_id: call, content: resultOf(call) }),
  blank: (role, variant) => ({ role, content: ["", null, [], [{ type: "text", text: " " }]][variant % 4] }),
  thought: () => ({ role: "assistant", content: [{ type: "reasoning", text: "hm" }] }),
  refusals: chatRefusals,
};

/** LangChain's messages with its standard content blocks. */
export const langChainBlocks: WireFormat = {
  name: "langchain-blocks",
  providers: ["openai-chat", "gemini", "any"],
  reusesCalls: true,
  write: (beats) =>
    writeBeats(
      beats,
      (role, { label, image }) => {
        const block = image
          ? { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }
          : { type: "text", text: textOf(label) };
        const Message = role === "system" ? SystemMessage : HumanMessage;
        return new Message({ id: label, content: [block] as never });
      },
      langChainAnswer,
    ),
  orphan: (call) => new ToolMessage({ content: resultOf(call), tool_call_id: call }),
  blank: (role, variant) => {
    const content = ["", [], [{ type: "text", text: " " }]][variant % 3] as never;
    return role === "user" ? new HumanMessage({ content }) : new AIMessage({ content });
  },
  thought: () => new AIMessage({ content: [{ type: "reasoning", reasoning: "hm" }] as never }),
};

function langChainAnswer(beat: Answer): Wire[] {
  const { says, calls, resultOrder, label, reasons, hosted } = beat;
  const search = { type: "server_tool_call", id: `srv_${label}`, name: "web_search", args: {} };
  const found = {
    type: "server_tool_call_result",
    toolCallId: `srv_${label}`,
    status: "success",
    output: {},
  };
  const text = { type: "text", text: textOf(label) };
  const own = calls.map((id) => ({ type: "tool_call", id, name: "look_up", args: { of: id } }));
  const head = [
    ...(reasons ? [{ type: "reasoning", reasoning: "let me see" }] : []),
    ...(hosted === "same" ? [search, found] : []),
  ];
  const message = (id: string, content: readonly unknown[], made: readonly string[]): AIMessage =>
    new AIMessage({
      id,
      content: content as never,
      tool_calls: made.map((call) => ({ id: call, name: "look_up", args: { of: call }, type: "tool_call" })),
      response_metadata: { output_version: "v1" },
    });
  const rows =
    hosted === "next"
      ? [message(`${label}-s`, [...head, search], []), message(label, [found, text, ...own], calls)]
      : [message(label, [...head, ...(says ? [text] : []), ...own], calls)];
  const results = resultOrder.map(
    (id) => new ToolMessage({ id: `${label}-${id}`, content: resultOf(id), tool_call_id: id }),
  );
  return [
    ...rows.map((row) => wire(row, "ai", beat)),
    ...results.map((result) => wire(result, "result", beat)),
  ];
}
