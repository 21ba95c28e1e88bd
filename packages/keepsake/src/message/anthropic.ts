import { isRecord } from "../util/index.ts";
import {
  type Body,
  callerIn,
  callPart,
  marker,
  mediaPart,
  type Part,
  type PartReader,
  resultPart,
  textPart,
  unique,
} from "./part.ts";

const serverCall: PartReader = (part) => ({ ...callPart(part.id, part.name, part.input), nature: unique });

/** The blocks of Anthropic's messages, beta ones included, and what the results of its own tools consist of. */
export const anthropicParts: Readonly<Record<string, PartReader>> = {
  tool_use: (part) => ({ ...serverCall(part, String), nature: { ...unique, ...callerIn(part) } }),
  server_tool_use: serverCall,
  mcp_tool_use: serverCall,
  tool_result: readToolResult,
  document: readDocument,
  search_result: (part, textIn) => titled(part.title, textIn(part.content)),
  container_upload: () => mediaPart("file"),
  compaction: (part) => ({ ...textPart(part.content), nature: { pinned: true } }),
  tool_addition: () => marker,
  tool_removal: () => marker,
  mcp_tool_listing: () => marker,
  fallback: () => marker,
  web_search_result: (part) => titled(part.title, part.url),
  web_fetch_result: (part, textIn) => textPart(textIn(part.content)),
};

/** A result of the app's tools, or of a tool that Anthropic runs: `<name>_tool_result`. */
export function readToolResult(part: Body, textIn: (content: unknown) => string): Part {
  return resultPart(part.tool_use_id ?? part.tool_call_id, textIn(part.content));
}

/** A document: its text, where it has one. Bedrock's are like Anthropic's. */
export function readDocument(part: Body, textIn: (content: unknown) => string): Part {
  const source = isRecord(part.source) ? part.source : {};
  const text = source.type === "text" ? source.data : source.text;
  if (typeof text === "string") return titled(part.title, text);
  return source.content === undefined ? mediaPart("file") : titled(part.title, textIn(source.content));
}

function titled(title: unknown, text: unknown): Part {
  return textPart([title, text].filter((line) => typeof line === "string" && line !== "").join("\n"));
}
