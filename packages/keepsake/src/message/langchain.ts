import { isRecord } from "../util/index.ts";
import { type ContentKey, readBody } from "./body.ts";
import type { Body } from "./part.ts";
import type { Reading } from "./reading.ts";
import { roleFrom } from "./role.ts";

/**
 * Reads LangChain's serialised messages: `{ type, data }` (`toDict()`) and `{ lc: 1, type: "constructor", id, kwargs }` (`toJSON()`).
 * Message objects have `type`, `content`, `tool_calls` and `tool_call_id` as properties: the plain reader reads them.
 */
export function readLangChain(message: Body): Reading | undefined {
  const { type, data, kwargs } = message;
  if (message.lc === 1 && isRecord(kwargs) && Array.isArray(message.id)) {
    return readBody(kwargs, roleFrom(message.id.at(-1), kwargs.role, kwargs.type), contentKeyOf(kwargs));
  }
  if (
    typeof type === "string" &&
    message.role === undefined &&
    message.content === undefined &&
    isRecord(data)
  ) {
    return readBody(data, roleFrom(data.role, type), contentKeyOf(data));
  }
  return undefined;
}

/** Messages that were made from standard blocks write themselves with these. */
function contentKeyOf({ content, content_blocks: blocks }: Body): ContentKey {
  return content === undefined && Array.isArray(blocks) ? "content_blocks" : "content";
}
