import { canonicalJson, isRecord } from "../util/index.ts";
import { textIn } from "./content.ts";
import { linksOf } from "./links.ts";
import { idOf, nameIn } from "./names.ts";
import type { Nature } from "./nature.ts";
import {
  approvalPart,
  type Body,
  callerIn,
  callPart,
  linesOf,
  mediaPart,
  ownCallPart,
  type Part,
  resultPart,
  sealedPart,
  thoughtPart,
} from "./part.ts";
import type { Reading } from "./reading.ts";
import type { MessageRole } from "./view.ts";

const item: Nature = { item: true };
const reasoning: Nature = { item: true, binds: true };
const compaction: Nature = { item: true, pinned: true };

/**
 * Reads an item of OpenAI's Responses or Agents that is no message: reasoning, a call, a result, a tool that OpenAI runs. `undefined` for
 * what is none.
 */
export function readItem(body: Body, type: string): Reading | undefined {
  // Agents keep approvals as hosted calls.
  const data = type === "hosted_tool_call" && isRecord(body.providerData) ? body.providerData : {};
  const kind = [data.type, data === body.providerData ? body.name : type].find(isApproval) ?? type;
  if (kind === "reasoning") {
    const thoughts = [body.summary, body.content, body.rawContent].map(linesOf).filter(Boolean);
    return itemOf(
      body,
      "ai",
      [{ ...sealedPart(sealedIn(body), thoughts.join("\n")), bound: nameIn(body.id) }],
      reasoning,
    );
  }
  if (kind === "mcp_approval_request") {
    const call = ownCallPart(undefined, body.name, body.arguments);
    return itemOf(body, "ai", [{ ...call, ...approvalPart({ asks: data.id ?? body.id }) }], item);
  }
  if (kind === "mcp_approval_response") {
    const answers = data.approval_request_id ?? body.approval_request_id;
    return itemOf(body, "tool", [approvalPart({ answers })], item);
  }
  if (kind === "compaction")
    return itemOf(body, "ai", [{ ...sealedPart(sealedIn(body)), kind: "call" }], compaction);
  if (/^(?:configuration_update|compaction_trigger)$/.test(kind)) return itemOf(body, "system", [], {});
  if (kind === "mcp_list_tools") {
    const tools = { ...thoughtPart(canonicalJson(body.tools)), kind: "call" } as const;
    return itemOf(body, "ai", [tools], item);
  }
  if (/_call$|^program$/.test(kind)) return readCall(body, kind);
  if (/_call_(?:output|result)$|^(?:program|tool_search)_output$/.test(kind)) return readResult(body, kind);
  return undefined;
}

/** What only OpenAI can read; Agents keep it beside the item. */
function sealedIn({ encrypted_content: own, providerData }: Body): unknown {
  return (
    own ?? (isRecord(providerData) ? (providerData.encrypted_content ?? providerData.encryptedContent) : own)
  );
}

function isApproval(name: unknown): name is string {
  return typeof name === "string" && name.startsWith("mcp_approval_");
}

/** A call of the app's tools has an id of its own for its result; what OpenAI runs holds its result itself. */
function readCall(body: Body, type: string): Reading {
  const name = body.name ?? type.replace(/_call$/, "");
  const input =
    body.arguments ??
    body.input ??
    body.action ??
    body.actions ??
    body.operation ??
    body.queries ??
    body.code;
  const id = callIdOf(body, type);
  const bound = nameIn(body.id);
  if (id !== undefined)
    return itemOf(body, "ai", [{ ...callPart(id, name, input), bound }], { ...item, ...callerIn(body) });
  const parts: Part[] = [{ ...ownCallPart(undefined, name, input), bound }];
  // Agents keep the picture's bytes as output.
  if (type === "image_generation_call" || name === "image_generation_call")
    return itemOf(body, "ai", [...parts, mediaPart("image")], item);
  const output = body.output ?? body.outputs ?? body.results ?? body.error;
  if (output !== undefined && output !== null) parts.push(resultPart(undefined, textIn(output)));
  return itemOf(body, "ai", parts, item);
}

function readResult(body: Body, type: string): Reading {
  const id = callIdOf(body, type);
  const result = resultPart(id, textIn(body.output ?? body.result ?? ""));
  // What OpenAI searched itself is a part of its answer.
  const isHosted = type === "tool_search_output" && id === undefined;
  return itemOf(body, isHosted ? "ai" : "tool", [result], item);
}

/** The id by which a result names its call; none where OpenAI runs the tool. */
function callIdOf(body: Body, type: string): string | undefined {
  if (body.execution === "server") return undefined;
  const id = nameIn(body.call_id ?? body.callId);
  if (id !== undefined) return id;
  if (type === "local_shell_call_output") return nameIn(body.id);
  return body.execution === "client" ? "tool_search" : undefined;
}

function itemOf(body: Body, role: MessageRole, parts: readonly Part[], nature: Nature): Reading {
  const links = linksOf(parts, role, [], undefined);
  const { calls, asks, answers, bound } = links;
  const text = parts
    .map((part) => part.text)
    .filter(Boolean)
    .join("\n");
  return {
    view: {
      role,
      id: idOf(body.id),
      text,
      name: undefined,
      calls: links.open,
      results: links.results,
      bound,
      startsTurn: false,
    },
    body,
    contentKey: ["output", "arguments", "content", "summary"].find((key) => key in body) ?? "status",
    parts,
    calls,
    blank: false,
    asks,
    answers,
    nature: { ...links.nature, ...nature },
    pending: links.pending,
  };
}
