import { hash128, isRecord } from "../util/index.ts";
import { recordOf } from "./record.ts";
import type { MessageRole } from "./view.ts";
import { viewOf } from "./view-of.ts";

const header = "Summary of the conversation so far:\n<conversation_summary>\n";
const footer = "\n</conversation_summary>";
const acknowledgement = "OK";

/** A summary block found in a list: where it stands, and the summary in it. */
export interface SummaryBlock {
  /** The indices of its messages, in order. */
  readonly indices: readonly number[];
  readonly text: string;
}

type Speaker = "human" | "ai";

/**
 * A user message with the summary and an assistant's "OK", in the format of the messages in `like`, whichever keepsake reads: plain objects,
 * items, contents of parts, serialised forms, or instances made by the classes of the messages in the list.
 *
 * @param after The role of the message that the block will stand behind. Bedrock and Strands want roles to alternate: behind a user's message
 * their block is the assistant's alone.
 */
export function makeSummaryBlock(text: string, like: readonly unknown[], after?: MessageRole): unknown[] {
  const blank = like.find((message) => recordOf(message)?.blank);
  const human = exampleOf("human", like) ?? exampleOf("ai", like) ?? blank;
  const ai = exampleOf("ai", like) ?? human;
  const content = header + text + footer;
  const id = `summary-${hash128(text)}`;
  if (after === "human" && hasBlocks(human)) return [makeMessage("ai", content, ai, id)];
  const summary = makeMessage("human", content, human, id);
  const answer = makeMessage("ai", acknowledgement, ai, `${id}-answer`);
  if (summary === undefined) return [{ role: "user", content }];
  return answer === undefined ? [summary] : [summary, answer];
}

/** The first message of a role that holds something: of one without content nobody can tell the format. */
function exampleOf(role: Speaker, like: readonly unknown[]): unknown {
  return like.find((message) => viewOf(message).role === role && recordOf(message)?.blank === false);
}

/**
 * Finds the summary blocks of {@link makeSummaryBlock} by their text, so also after a trip through JSON or a checkpoint. A latest
 * user message without the answer is none: somebody may have typed it. An assistant's message is one where it stands between two of the
 * user's.
 */
export function findSummaryBlocks(messages: readonly unknown[]): SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
  const latest = messages.findLastIndex((message) => viewOf(message).startsTurn);
  for (let index = 0; index <= latest; index += 1) {
    const { role, text, calls } = viewOf(messages[index]);
    if (!text.startsWith(header) || !text.endsWith(footer)) continue;
    const next = viewOf(messages[index + 1]);
    const isAnswered = next.role === "ai" && next.text === acknowledgement && next.calls.length === 0;
    const isUsers = role === "human" && (index < latest || isAnswered);
    const isAlone = role === "ai" && calls.length === 0 && isBetweenUsers(messages, index);
    if (!isUsers && !isAlone) continue;
    blocks.push({
      indices: isUsers && isAnswered ? [index, index + 1] : [index],
      text: text.slice(header.length, -footer.length),
    });
  }
  return blocks;
}

function isBetweenUsers(messages: readonly unknown[], index: number): boolean {
  return [index - 1, index + 1].every((neighbour) => viewOf(messages[neighbour]).role === "human");
}

/** A message of a role in the format of another one; `undefined` where that format gives no way to make it. */
function makeMessage(speaker: Speaker, content: string, like: unknown, id: string): unknown {
  const name = speaker === "human" ? "user" : "assistant";
  if (!isRecord(like)) return { role: name, content };
  const isSameRole = viewOf(like).role === speaker;
  const role = isSameRole && typeof like.role === "string" ? like.role : name;
  if (typeof (like.getType ?? like._getType) === "function")
    return isSameRole ? construct(like.constructor, content) : undefined;
  if (like.lc === 1 && Array.isArray(like.id)) {
    const className = like.id.with(-1, speaker === "human" ? "HumanMessage" : "AIMessage");
    return { lc: 1, type: "constructor", id: className, kwargs: { content } };
  }
  if (isRecord(like.data) && like.content === undefined) return { type: speaker, data: { content } };
  if (Array.isArray(like.parts)) return makeParts(role, content, like.parts, id);
  if (hasBlocks(like)) return makeBlocks(role, content, like);
  if (isItem(like)) return makeItem(name, content);
  return typeof like.role === "string" ? { role, content } : { type: speaker, content };
}

/** The AI SDK's `UIMessage`, whose parts have types, or Gemini's content. */
function makeParts(role: string, text: string, parts: readonly unknown[], id: string): unknown {
  if (parts.some((part) => isRecord(part) && typeof part.type === "string"))
    return { id, role, parts: [{ type: "text", text }] };
  return { role: role === "assistant" ? "model" : role, parts: [{ text }] };
}

/** True for the messages of Bedrock and Strands, whose blocks have no type but that of their class. */
function hasBlocks(message: unknown): boolean {
  if (!isRecord(message) || !Array.isArray(message.content)) return false;
  const [block] = message.content;
  return isRecord(block) && (block.type === undefined || /Block$/.test(String(block.type)));
}

function makeBlocks(role: string, text: string, like: Readonly<Record<string, unknown>>): unknown {
  const message = { role, content: [{ text }] };
  const makeInstance: unknown = Reflect.get(Object(like.constructor), "fromMessageData");
  return typeof makeInstance === "function"
    ? Reflect.apply(makeInstance, like.constructor, [message])
    : message;
}

function isItem(message: Readonly<Record<string, unknown>>): boolean {
  return recordOf(message)?.nature.item === true || message.type === "message";
}

/** A message item of OpenAI's Responses and Agents. */
function makeItem(role: string, text: string): unknown {
  const item = { type: "message", role };
  if (role === "user") return { ...item, content: [{ type: "input_text", text }] };
  return { ...item, status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
}

/** Makes a message with the class of another: how LangChain's classes are reached without importing LangChain. */
function construct(messageClass: unknown, content: string): unknown {
  try {
    return typeof messageClass === "function" ? Reflect.construct(messageClass, [{ content }]) : undefined;
  } catch {
    return undefined;
  }
}
