import { wire, writeBeats } from "./chat.ts";
import { resultOf, textOf, type Wire, type WireFormat } from "./format.ts";
import { modelMessageRefusals, uiMessageRefusals } from "./refusals-ai-sdk.ts";
import type { Answer } from "./script.ts";

const call = (id: string): unknown => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "look_up",
  input: { of: id },
});
const result = (id: string): unknown => ({
  type: "tool-result",
  toolCallId: id,
  toolName: "look_up",
  output: { type: "text", value: resultOf(id) },
});

function writeModelAnswer(beat: Answer): Wire[] {
  const { label, reasons, says, calls, resultOrder, together, hosted, approval } = beat;
  const search = {
    type: "tool-call",
    toolCallId: `srv_${label}`,
    toolName: "web_search",
    input: {},
    providerExecuted: true,
  };
  const found = {
    type: "tool-result",
    toolCallId: `srv_${label}`,
    toolName: "web_search",
    output: { type: "json", value: [] },
  };
  const head = [
    ...(reasons
      ? [{ type: "reasoning", text: "let me see", providerOptions: { anthropic: { signature: "s" } } }]
      : []),
    ...(hosted === "none" ? [] : [search]),
  ];
  const waits =
    approval === "none"
      ? undefined
      : { type: "tool-approval-request", approvalId: `ap_${label}`, toolCallId: calls[0] };
  const body = [
    ...(says ? [{ type: "text", text: textOf(label) }] : []),
    ...calls.map(call),
    ...(waits === undefined ? [] : [waits]),
  ];
  const rows =
    hosted === "next"
      ? [head, [found, ...body]]
      : [[...head, ...(hosted === "same" ? [found] : []), ...body]];
  const decision = {
    type: "tool-approval-response",
    approvalId: `ap_${label}`,
    approved: approval === "given",
  };
  const results = resultOrder.map(result);
  const answers = [
    ...(waits === undefined ? [] : [[decision]]),
    ...(results.length === 0 ? [] : together ? [results] : results.map((one) => [one])),
  ];
  return [
    ...rows.map((content) => wire({ role: "assistant", content }, "ai", beat)),
    ...answers.map((content) => wire({ role: "tool", content }, "result", beat)),
  ];
}

/** The AI SDK's `ModelMessage`. */
export const modelMessages: WireFormat = {
  name: "ai-sdk-model",
  providers: ["openai-chat", "gemini", "any"],
  reusesCalls: true,
  write: (beats) =>
    writeBeats(
      beats,
      (role, { label, image }) =>
        role === "system"
          ? { role, content: textOf(label) }
          : {
              role,
              content: image
                ? [{ type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" }]
                : label.length % 2 === 0
                  ? [{ type: "text", text: textOf(label) }]
                  : textOf(label),
            },
      writeModelAnswer,
    ),
  orphan: (id) => ({ role: "tool", content: [result(id)] }),
  blank: (role, variant) => ({ role, content: ["", [], [{ type: "text", text: " " }]][variant % 3] }),
  thought: () => ({ role: "assistant", content: [{ type: "reasoning", text: "hm" }] }),
  refusals: modelMessageRefusals,
};

function writeUiAnswer(beat: Answer): Wire[] {
  const { label, reasons, says, calls, hosted, approval, variant } = beat;
  const tool = (id: string, index: number): unknown => {
    const denied = index === 0 && approval === "denied";
    const known =
      variant % 2 === 0 ? { type: "tool-look_up" } : { type: "dynamic-tool", toolName: "look_up" };
    const state = denied ? "output-denied" : variant % 7 === 0 ? "output-error" : "output-available";
    return {
      ...known,
      toolCallId: id,
      input: { of: id },
      state,
      ...(state === "output-available" ? { output: resultOf(id) } : {}),
      ...(state === "output-error" ? { errorText: resultOf(id) } : {}),
      ...(index === 0 && approval !== "none" ? { approval: { id: `ap_${label}`, approved: !denied } } : {}),
    };
  };
  const parts = [
    { type: "step-start" },
    ...(reasons ? [{ type: "reasoning", text: "let me see", state: "done" }] : []),
    ...(hosted === "none" ? [] : [{ ...(tool(`srv_${label}`, 1) as object), providerExecuted: true }]),
    ...calls.map(tool),
    ...(calls.length === 0 ? [] : [{ type: "step-start" }]),
    ...(says ? [{ type: "text", text: textOf(label), state: "done" }] : []),
  ];
  return [wire({ id: label, role: "assistant", parts }, "ai", beat)];
}

/** The AI SDK's `UIMessage`: calls and results are parts of one message. */
export const uiMessages: WireFormat = {
  name: "ai-sdk-ui",
  providers: ["openai-chat", "gemini", "any"],
  reusesCalls: true,
  write: (beats) =>
    writeBeats(
      beats,
      (role, { label, image }) => ({
        id: label,
        role,
        parts: [
          image
            ? { type: "file", mediaType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=" }
            : { type: "text", text: textOf(label) },
        ],
      }),
      writeUiAnswer,
    ),
  orphan: (id) => ({
    id: `o-${id}`,
    role: "assistant",
    parts: [{ type: "tool-look_up", toolCallId: id, state: "input-available", input: {} }],
  }),
  blank: (role, variant) => ({
    id: `b-${variant}`,
    role,
    parts: [[], [{ type: "text", text: " " }], [{ type: "step-start" }]][variant % 3],
  }),
  thought: (label) => ({ id: label, role: "assistant", parts: [{ type: "reasoning", text: "hm" }] }),
  refusals: uiMessageRefusals,
};
