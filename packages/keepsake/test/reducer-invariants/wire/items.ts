import { wire, writeBeats } from "./chat.ts";
import { resultOf, textOf, type Wire, type WireFormat } from "./format.ts";
import { responsesRefusals } from "./refusals-responses.ts";
import type { Answer } from "./script.ts";

/** How a format of items writes what an answer consists of. */
interface Items {
  said(role: "system" | "user", label: string, image: boolean): unknown;
  answer(label: string): unknown;
  thought(label: string): unknown;
  call(id: string, variant: number): unknown;
  result(id: string, variant: number): unknown;
  /** What the provider ran itself: one item with its result in it. */
  hosted(label: string): unknown;
  /** A request for approval and the answer to it. */
  approval(label: string, given: boolean): readonly [unknown, unknown];
}

/** Reasoning and all that follows it in the same answer is one group; without reasoning, calls with their results are. */
function writeItems(items: Items, beat: Answer): Wire[] {
  const { label, reasons, says, calls, resultOrder, hosted, approval, oneByOne, variant } = beat;
  const isLoose = !reasons;
  const loose = (part: string): string => (isLoose ? `${label}-${part}` : label);
  const head = [
    ...(reasons ? [wire(items.thought(label), "ai", beat)] : []),
    ...(hosted === "none" ? [] : [wire(items.hosted(label), "ai", beat, loose("hosted"))]),
    ...(says || (calls.length === 0 && hosted === "none")
      ? [wire(items.answer(label), "ai", beat, loose("text"))]
      : []),
  ];
  const made = calls.map((id) => wire(items.call(id, variant), "ai", beat));
  const results = resultOrder.map((id) => wire(items.result(id, variant), "result", beat));
  const asked = approval === "none" ? undefined : items.approval(label, approval === "given");
  const [request, response] = asked ?? [];
  if (request !== undefined)
    return [
      ...head,
      wire(request, "ai", beat, loose("approval")),
      wire(response, "result", beat, loose("approval")),
    ];
  if (!oneByOne || !reasons) return [...head, ...made, ...results];
  return [
    ...head,
    ...calls.flatMap((id) => [
      wire(items.call(id, variant), "ai", beat),
      wire(items.result(id, variant), "result", beat),
    ]),
  ];
}

const customCall = (variant: number): boolean => variant % 4 === 3;

const responsesItems: Items = {
  said: (role, label, image) => ({
    ...(label.length % 2 === 0 ? { type: "message" } : {}),
    role: role === "system" && label.length % 2 === 0 ? "developer" : role,
    content: image
      ? [{ type: "input_image", image_url: `https://example.org/${label}.png` }]
      : label.length % 2 === 0
        ? [{ type: "input_text", text: textOf(label) }]
        : textOf(label),
  }),
  answer: (label) => ({
    type: "message",
    id: `msg_${label}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: textOf(label), annotations: [] }],
  }),
  thought: (label) => ({ type: "reasoning", id: `rs_${label}`, summary: [], encrypted_content: "gAAAA" }),
  call: (id, variant) =>
    customCall(variant)
      ? { type: "custom_tool_call", id: `ctc_${id}`, call_id: id, name: "look_up", input: id }
      : {
          type: "function_call",
          id: `fc_${id}`,
          call_id: id,
          name: "look_up",
          arguments: `{"of":"${id}"}`,
          status: "completed",
        },
  result: (id, variant) => ({
    type: customCall(variant) ? "custom_tool_call_output" : "function_call_output",
    call_id: id,
    output: resultOf(id),
  }),
  hosted: (label) => ({
    type: "web_search_call",
    id: `ws_${label}`,
    status: "completed",
    action: { type: "search", query: label },
  }),
  approval: (label, approve) => [
    {
      type: "mcp_approval_request",
      id: `mcpr_${label}`,
      name: "send",
      arguments: "{}",
      server_label: "mail",
    },
    { type: "mcp_approval_response", approval_request_id: `mcpr_${label}`, approve },
  ],
};

/** OpenAI's Responses items. */
export const responses: WireFormat = {
  name: "openai-responses",
  providers: ["openai-responses", "any"],
  write: (beats) =>
    writeBeats(
      beats,
      (role, { label, image }) => responsesItems.said(role, label, image),
      (beat) => writeItems(responsesItems, beat),
    ),
  orphan: (call) => responsesItems.result(call, 0),
  blank: (role, variant) =>
    role === "user"
      ? { type: "message", role, content: ["", [], [{ type: "input_text", text: " " }]][variant % 3] }
      : {
          type: "message",
          role,
          id: `msg_${variant}`,
          content: [[], [{ type: "output_text", text: "" }]][variant % 2],
        },
  thought: (label) => responsesItems.thought(label),
  refusals: responsesRefusals,
};

const agentsItems: Items = {
  said: (role, label, image) =>
    role === "system"
      ? { type: "message", role, content: textOf(label) }
      : {
          type: "message",
          role,
          content: image
            ? [{ type: "input_image", image: `https://example.org/${label}.png` }]
            : label.length % 2 === 0
              ? [{ type: "input_text", text: textOf(label) }]
              : textOf(label),
        },
  answer: (label) => ({
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: textOf(label) }],
  }),
  thought: () => ({ type: "reasoning", content: [{ type: "input_text", text: "let me see" }] }),
  call: (id) => ({
    type: "function_call",
    callId: id,
    name: "look_up",
    arguments: `{"of":"${id}"}`,
    status: "completed",
  }),
  result: (id) => ({
    type: "function_call_result",
    callId: id,
    name: "look_up",
    status: "completed",
    output: { type: "text", text: resultOf(id) },
  }),
  hosted: (label) => ({
    type: "hosted_tool_call",
    name: "web_search_call",
    id: `ws_${label}`,
    status: "completed",
    output: "found",
  }),
  approval: (label, approve) => [
    {
      type: "hosted_tool_call",
      name: "mcp_approval_request",
      id: `mcpr_${label}`,
      status: "completed",
      providerData: {
        type: "mcp_approval_request",
        id: `mcpr_${label}`,
        server_label: "mail",
        arguments: "{}",
      },
    },
    {
      type: "hosted_tool_call",
      name: "mcp_approval_response",
      status: "completed",
      providerData: { type: "mcp_approval_response", approval_request_id: `mcpr_${label}`, approve },
    },
  ],
};

/** The items of OpenAI's Agents SDK, as its sessions hold them: mostly without ids. */
export const agents: WireFormat = {
  name: "openai-agents",
  providers: ["openai-responses", "any"],
  reusesCalls: true,
  write: (beats) =>
    writeBeats(
      beats,
      (role, { label, image }) => agentsItems.said(role, label, image),
      (beat) => writeItems(agentsItems, beat),
    ),
  orphan: (call) => agentsItems.result(call, 0),
  blank: (role, variant) =>
    role === "user"
      ? { type: "message", role, content: ["", [], [{ type: "input_text", text: "" }]][variant % 3] }
      : {
          type: "message",
          role,
          status: "completed",
          content: [[], [{ type: "output_text", text: " " }]][variant % 2],
        },
  thought: (label) => agentsItems.thought(label),
  refusals: responsesRefusals,
};
