import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Message as BedrockMessage } from "@aws-sdk/client-bedrock-runtime";
import type { Content } from "@google/genai";
import type { UIMessage } from "ai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { type Line, toChatMessage, toLangChainMessage, toModelMessage } from "./conversation.ts";

/** A wire format: how a conversation, or what follows one, is written in it. */
export interface Format {
  readonly name: string;
  readonly write: (lines: readonly Line[]) => object[];
}

/** Every format that keepsake reads. Where a system prompt is no message, it is left out. */
export const FORMATS: readonly Format[] = [
  { name: "OpenAI chat", write: (lines) => lines.map(toChatMessage) },
  { name: "LangChain objects", write: (lines) => lines.map(toLangChainMessage) },
  { name: "OpenAI Responses items", write: (lines) => lines.flatMap(toResponseItems) },
  { name: "Anthropic blocks", write: (lines) => lines.filter(isSpoken).map(toAnthropicMessage) },
  { name: "AI SDK ModelMessage", write: (lines) => lines.map(toModelMessage) },
  { name: "AI SDK UIMessage", write: toUiMessages },
  { name: "Gemini contents", write: (lines) => lines.filter(isSpoken).map(toGeminiContent) },
  { name: "Bedrock Converse", write: (lines) => lines.filter(isSpoken).map(toBedrockMessage) },
];

const isSpoken = ({ role }: Line): boolean => role !== "system";

/** A call is an item of its own, behind what was said with it. */
function toResponseItems({ id, role, text, call = "" }: Line): ResponseInputItem[] {
  switch (role) {
    case "system":
    case "user":
      return [{ type: "message", role, content: [{ type: "input_text", text }] }];
    case "tool":
      return [{ type: "function_call_output", id: `fco_${id}`, call_id: call, output: text }];
    case "assistant": {
      const said: ResponseInputItem = {
        type: "message",
        id: `msg_${id}`,
        role,
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      };
      if (call === "") return [said];
      return [
        said,
        { type: "function_call", id: `fc_${id}`, call_id: call, name: "look_up", arguments: "{}" },
      ];
    }
  }
}

function toAnthropicMessage({ role, text, call = "" }: Line): MessageParam {
  if (role === "tool")
    return { role: "user", content: [{ type: "tool_result", tool_use_id: call, content: text }] };
  if (role !== "assistant") return { role: "user", content: text };
  if (call === "") return { role, content: [{ type: "text", text }] };
  return {
    role,
    content: [
      { type: "text", text },
      { type: "tool_use", id: call, name: "look_up", input: {} },
    ],
  };
}

function toGeminiContent({ role, text, call = "" }: Line): Content {
  if (role === "tool")
    return {
      role: "user",
      parts: [{ functionResponse: { id: call, name: "look_up", response: { output: text } } }],
    };
  if (role !== "assistant") return { role: "user", parts: [{ text }] };
  if (call === "") return { role: "model", parts: [{ text }] };
  return { role: "model", parts: [{ text }, { functionCall: { id: call, name: "look_up", args: {} } }] };
}

function toBedrockMessage({ role, text, call = "" }: Line): BedrockMessage {
  if (role === "tool")
    return { role: "user", content: [{ toolResult: { toolUseId: call, content: [{ text }] } }] };
  if (role !== "assistant") return { role: "user", content: [{ text }] };
  if (call === "") return { role, content: [{ text }] };
  return { role, content: [{ text }, { toolUse: { toolUseId: call, name: "look_up", input: {} } }] };
}

/** A result is written into the message that asked for it. */
function toUiMessages(lines: readonly Line[]): UIMessage[] {
  const results = new Map(lines.filter(({ role }) => role === "tool").map((line) => [line.call, line.text]));
  return lines.flatMap(({ id, role, text, call }): UIMessage[] => {
    if (role === "tool") return [];
    const said = { type: "text", text } as const;
    if (call === undefined) return [{ id, role, parts: [said] }];
    const called = { type: "tool-look_up", toolCallId: call, input: {} } as const;
    const output = results.get(call);
    const part =
      output === undefined
        ? ({ ...called, state: "input-available" } as const)
        : ({ ...called, state: "output-available", output } as const);
    return [{ id, role, parts: [said, part] }];
  });
}
