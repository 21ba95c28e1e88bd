import { isObject } from "./is-object.ts";
import { kindOf } from "./kind-of.ts";

/** What is wrong with a message: the path of the element, and a sentence. */
type Fault = string | undefined;

/** The first thing in a list that is not a message, as `messages[3].content: expected …`. */
export function checkMessages(messages: readonly unknown[]): Fault {
  for (const [index, message] of messages.entries()) {
    const fault = checkMessage(message, `messages[${index}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkMessage(message: unknown, path: string): Fault {
  if (!isObject(message)) return `${path}: expected a message, an object, got ${kindOf(message)}`;
  if (isConstructor(message)) return checkBody(message.kwargs, `${path}.kwargs`);
  if (isEnvelope(message)) return checkBody(message.data, `${path}.data`);
  return checkRole(message, path) ?? checkBody(message, path);
}

/** LangChain's `toJSON()`: the class name stands for the role. */
function isConstructor(message: Record<string, unknown>): message is { kwargs: Record<string, unknown> } {
  return message.lc === 1 && Array.isArray(message.id) && isObject(message.kwargs);
}

/** LangChain's `toDict()`: `{ type, data }`. */
function isEnvelope(message: Record<string, unknown>): message is { data: Record<string, unknown> } {
  const { type, role, content, data } = message;
  return typeof type === "string" && role === undefined && content === undefined && isObject(data);
}

function checkRole({ role, type }: Record<string, unknown>, path: string): Fault {
  if (role !== undefined && (typeof role !== "string" || role === "")) {
    return `${path}.role: expected a string such as "user" or "assistant", got ${kindOf(role)}`;
  }
  if (type !== undefined && (typeof type !== "string" || type === "")) {
    return `${path}.type: expected a string such as "human" or "ai", got ${kindOf(type)}`;
  }
  if (role === undefined && type === undefined) {
    return `${path}: a message needs a "role" (user, assistant, system, tool) or a "type" (human, ai)`;
  }
  return undefined;
}

function checkBody(body: Record<string, unknown>, path: string): Fault {
  return (
    checkContent(body.content, `${path}.content`) ??
    checkId(body.id, `${path}.id`) ??
    checkCalls(body.tool_calls, `${path}.tool_calls`) ??
    optionalString(body.tool_call_id, `${path}.tool_call_id`) ??
    optionalString(body.name, `${path}.name`)
  );
}

function checkContent(content: unknown, path: string): Fault {
  if (content === undefined || content === null || typeof content === "string") return undefined;
  if (!Array.isArray(content)) {
    return `${path}: expected a string or an array of parts, got ${kindOf(content)}`;
  }
  for (const [index, part] of content.entries()) {
    const fault = checkPart(part, `${path}[${index}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkPart(part: unknown, path: string): Fault {
  if (typeof part === "string") return undefined;
  if (!isObject(part)) return `${path}: expected a part, an object or a string, got ${kindOf(part)}`;
  const { type, text } = part;
  if (type !== undefined && typeof type !== "string") {
    return `${path}.type: expected a string, got ${kindOf(type)}`;
  }
  if (type === "text" && typeof text !== "string") {
    return `${path}.text: expected a string, got ${kindOf(text)}`;
  }
  return undefined;
}

/** Exports of databases have numbers for ids. */
function checkId(id: unknown, path: string): Fault {
  if (typeof id === "number") return undefined;
  return optionalString(id, path);
}

function checkCalls(calls: unknown, path: string): Fault {
  if (calls === undefined || calls === null) return undefined;
  if (!Array.isArray(calls)) return `${path}: expected an array of tool calls, got ${kindOf(calls)}`;
  for (const [index, call] of calls.entries()) {
    if (!isObject(call)) return `${path}[${index}]: expected a tool call, an object, got ${kindOf(call)}`;
    if (typeof call.id !== "string" || call.id === "") {
      return `${path}[${index}].id: expected a string, which the tool's answer names, got ${kindOf(call.id)}`;
    }
  }
  return undefined;
}

function optionalString(value: unknown, path: string): Fault {
  if (value === undefined || value === null || typeof value === "string") return undefined;
  return `${path}: expected a string, got ${kindOf(value)}`;
}
