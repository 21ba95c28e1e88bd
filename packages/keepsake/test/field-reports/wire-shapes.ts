import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { WindowProvider } from "../../src/index.ts";
import { type Draft, isEmpty } from "../reducer-invariants/draft.ts";

/** The wire formats in which a word of the notation is one message, or several items. */
export const WIRE_SHAPES = [
  "anthropic",
  "gemini",
  "gemini-without-ids",
  "bedrock",
  "ai-sdk",
  "langchain-blocks",
  "openai-responses",
  "openai-agents",
] as const;
export type WireShape = (typeof WIRE_SHAPES)[number];

/** By whose rules windows of a shape are judged. */
export const WIRE_PROVIDERS: Readonly<Record<WireShape, WindowProvider>> = {
  anthropic: "anthropic",
  gemini: "gemini",
  "gemini-without-ids": "gemini",
  bedrock: "bedrock",
  "ai-sdk": "gemini",
  "langchain-blocks": "gemini",
  "openai-responses": "openai-responses",
  "openai-agents": "openai-responses",
};

export function isWireShape(shape: string): shape is WireShape {
  return WIRE_SHAPES.some((one) => one === shape);
}

/** Writes one word. */
export function wireMessages(draft: Draft, shape: WireShape): unknown[] {
  if (draft.role === "unreadable") return [null];
  if (draft.role === "function") throw new Error(`${shape} has no function messages`);
  if (draft.role === "other")
    return [{ role: "narrator", content: `text of ${draft.label}`, id: draft.label }];
  if (shape === "openai-responses" || shape === "openai-agents") return itemsOf(draft, shape);
  if (shape === "langchain-blocks") return [langChainOf(draft)];
  return [WRITERS[shape](draft, isEmpty(draft) ? "" : `text of ${draft.label}`)];
}

type Writer = (draft: Draft, text: string) => unknown;

const roleOf = ({ role }: Draft, assistant = "assistant"): string =>
  role === "ai" ? assistant : role === "system" ? "system" : "user";

const isPlain = ({ calls, answers }: Draft): boolean => calls.length === 0 && answers === undefined;

const blockWriter =
  (
    call: (id: string) => unknown,
    result: (id: string, text: string) => unknown,
    text: (text: string) => unknown,
    roles: { readonly key: "content" | "parts"; readonly assistant: string; readonly tool?: string },
  ): Writer =>
  (draft, words) => {
    const { calls, answers, label } = draft;
    const blocks = isPlain(draft)
      ? [text(words)]
      : answers === undefined
        ? calls.map(call)
        : [result(answers, words)];
    const role =
      answers !== undefined && roles.tool !== undefined ? roles.tool : roleOf(draft, roles.assistant);
    return { id: label, role, [roles.key]: blocks };
  };

const gemini = (withIds: boolean): Writer =>
  blockWriter(
    (id) => ({ functionCall: { ...(withIds ? { id } : {}), name: `look_up_${id}`, args: {} } }),
    (id, text) => ({
      functionResponse: { ...(withIds ? { id } : {}), name: `look_up_${id}`, response: { output: text } },
    }),
    (text) => ({ text }),
    { key: "parts", assistant: "model" },
  );

const WRITERS: Readonly<
  Record<Exclude<WireShape, "langchain-blocks" | "openai-responses" | "openai-agents">, Writer>
> = {
  anthropic: blockWriter(
    (id) => ({ type: "tool_use", id, name: "look_up", input: {} }),
    (id, content) => ({ type: "tool_result", tool_use_id: id, content }),
    (text) => ({ type: "text", text }),
    { key: "content", assistant: "assistant" },
  ),
  gemini: gemini(true),
  "gemini-without-ids": gemini(false),
  bedrock: blockWriter(
    (id) => ({ toolUse: { toolUseId: id, name: "look_up", input: {} } }),
    (id, text) => ({ toolResult: { toolUseId: id, content: [{ text }] } }),
    (text) => ({ text }),
    { key: "content", assistant: "assistant" },
  ),
  "ai-sdk": blockWriter(
    (id) => ({ type: "tool-call", toolCallId: id, toolName: "look_up", input: {} }),
    (id, value) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: "look_up",
      output: { type: "text", value },
    }),
    (text) => ({ type: "text", text }),
    { key: "content", assistant: "assistant", tool: "tool" },
  ),
};

function langChainOf({ role, label, calls, answers, ...draft }: Draft): unknown {
  const text = {
    type: "text",
    text: isEmpty({ role, label, calls, answers, ...draft }) ? "" : `text of ${label}`,
  };
  const content = [text] as never;
  if (role === "system") return new SystemMessage({ id: label, content });
  if (role === "human") return new HumanMessage({ id: label, content });
  if (role === "tool") return new ToolMessage({ id: label, content, tool_call_id: answers ?? "" });
  const blocks = calls.map((id) => ({ type: "tool_call", id, name: "look_up", args: {} }));
  return new AIMessage({
    id: label,
    content: (calls.length > 0 ? blocks : [text]) as never,
    tool_calls: calls.map((id) => ({ type: "tool_call" as const, id, name: "look_up", args: {} })),
    response_metadata: { output_version: "v1" },
  });
}

function itemsOf(draft: Draft, shape: WireShape): unknown[] {
  const { calls, answers, label } = draft;
  const isAgents = shape === "openai-agents";
  const key = isAgents ? "callId" : "call_id";
  if (answers !== undefined) {
    const type = isAgents ? "function_call_result" : "function_call_output";
    return [{ id: label, type, [key]: answers, output: `text of ${label}` }];
  }
  if (calls.length > 0)
    return calls.map((id) => ({
      id: `fc_${label}_${id}`,
      type: "function_call",
      [key]: id,
      name: "look_up",
      arguments: "{}",
    }));
  const type = draft.role === "ai" ? "output_text" : "input_text";
  const text = isEmpty(draft) ? "" : `text of ${label}`;
  return [{ id: label, type: "message", role: roleOf(draft), content: [{ type, text }] }];
}
