import { readBody } from "./body.ts";
import type { Body } from "./part.ts";
import type { Reading } from "./reading.ts";
import { roleFrom } from "./role.ts";

/**
 * Reads a message whose own properties are those of OpenAI's chat format (`role`, `content`, `tool_calls`, `tool_call_id`): plain objects,
 * LangChain's message objects, any class instance with `role` or `type`, getters included.
 */
export function readPlain(message: Body): Reading {
  return readBody(message, roleFrom(message.role, message.type));
}
