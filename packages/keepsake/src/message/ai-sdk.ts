import { isRecord } from "../util/index.ts";
import { placeholderOf } from "./json-media.ts";
import { nameIn } from "./names.ts";
import {
  approvalPart,
  type Body,
  callerIn,
  callPart,
  jsonText,
  marker,
  type Part,
  type PartReader,
  resultPart,
  thoughtPart,
} from "./part.ts";

/** The parts of the AI SDK's `ModelMessage`; those of its `UIMessage` that differ are told by {@link isToolPart}. */
export const aiSdkParts: Readonly<Record<string, PartReader>> = {
  "tool-call": (part) => {
    const call = callPart(part.toolCallId, part.toolName, part.input ?? part.args);
    const options = isRecord(part.providerOptions) ? part.providerOptions.anthropic : undefined;
    const nature = isRecord(options) ? callerIn(options) : {};
    return part.providerExecuted === true ? { ...call, offers: call.asks, nature } : { ...call, nature };
  },
  "tool-result": (part, textIn) =>
    resultPart(
      part.toolCallId ?? part.tool_call_id,
      outputText(part.output ?? part.result ?? part.content, textIn),
    ),
  "tool-approval-request": (part) => ({
    ...approvalPart({ asks: part.approvalId }),
    frees: nameIn(part.toolCallId),
  }),
  "tool-approval-response": (part) => approvalPart({ answers: part.approvalId }),
  "reasoning-file": () => thoughtPart(),
  "step-start": () => marker,
  "tool-invocation": readInvocation,
};

/** True where a part is a tool part of AI SDK 4's `UIMessage`, which keeps its words in `content` as well as in `parts`. */
export function isInvocation(part: unknown): boolean {
  return isRecord(part) && part.type === "tool-invocation" && isRecord(part.toolInvocation);
}

/** Reads a tool part of AI SDK 4's `UIMessage`: `tool-invocation`, with the call and its result in a property. */
function readInvocation(part: Body, textIn: (content: unknown) => string): Part {
  const invocation = isRecord(part.toolInvocation) ? part.toolInvocation : {};
  const { toolCallId, toolName, args, state, result } = invocation;
  const { asks, ...call } = callPart(toolCallId, toolName, args);
  if (state === "result") return { ...call, kind: "result", text: outputText(result, textIn) };
  const pending = [
    { part, key: "toolInvocation", value: part.toolInvocation },
    { part: invocation, key: "state", value: state },
  ];
  return { ...call, asks, pending };
}

/** True for a tool part of a `UIMessage`, which is changed in place from the call to its result. */
export function isToolPart(part: Body): boolean {
  return typeof part.toolCallId === "string" && typeof part.state === "string";
}

/** Reads a tool part of a `UIMessage`: `tool-<name>` or `dynamic-tool`. */
export function readToolPart(part: Body, textIn: (content: unknown) => string): Part {
  const name = part.toolName ?? String(part.type).replace(/^tool-/, "");
  const { asks, ...call } = callPart(part.toolCallId, name, part.input ?? part.rawInput);
  const isDone = /^output-/.test(String(part.state));
  const reason = isRecord(part.approval) ? part.approval.reason : undefined;
  const text = isDone ? outputText(part.errorText ?? part.output ?? reason, textIn) : "";
  if (isDone && part.preliminary !== true) return { ...call, kind: "result", text };
  const key = isDone ? "output" : "state";
  return { ...call, text, asks, pending: [{ part, key, value: part[key] }] };
}

/** What a tool gave, as text: the AI SDK's typed outputs, content of parts, anything else as JSON. */
function outputText(output: unknown, textIn: (content: unknown) => string): string {
  if (isRecord(output) && typeof output.type === "string" && !isContent(output)) {
    const { type, value, reason } = output;
    if (value !== undefined)
      return /json/.test(type) ? (placeholderOf(value) ?? jsonText(value)) : textIn(value);
    if (type === "execution-denied") return nameIn(reason) ?? "";
  }
  return isContent(output) ? textIn(output) : jsonText(output);
}

/** True for parts of content: what else has a `type` is an object of the app's own. */
function isContent(value: unknown): boolean {
  const parts = Array.isArray(value) ? value : [value];
  return parts.every(
    (part) =>
      isRecord(part) &&
      typeof part.type === "string" &&
      (typeof part.text === "string" || /image|audio|video|file|media/.test(part.type)),
  );
}
