import { isRecord } from "../util/index.ts";
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

/**
 * A user message with the summary and an assistant's "OK", in the format of the messages in `like`: plain objects by `role` or `type`,
 * LangChain's serialised forms, or instances made by the constructors of the messages in the list.
 */
export function makeSummaryBlock(text: string, like: readonly unknown[]): unknown[] {
  const human = like.find((message) => viewOf(message).role === "human");
  const ai = like.find((message) => viewOf(message).role === "ai");
  const content = header + text + footer;
  const summary = makeMessage("human", content, human ?? ai);
  const answer = makeMessage("ai", acknowledgement, ai ?? human);
  if (summary === undefined) return [{ role: "user", content }];
  return answer === undefined ? [summary] : [summary, answer];
}

/**
 * Finds the summary blocks of {@link makeSummaryBlock} by their text, so also after a trip through JSON or a checkpoint. A latest
 * user message without the answer is none: somebody may have typed it.
 */
export function findSummaryBlocks(messages: readonly unknown[]): SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
  const latest = messages.findLastIndex((message) => viewOf(message).startsTurn);
  for (let index = 0; index <= latest; index += 1) {
    const { role, text } = viewOf(messages[index]);
    if (role !== "human" || !text.startsWith(header) || !text.endsWith(footer)) continue;
    const next = viewOf(messages[index + 1]);
    const isAnswered = next.role === "ai" && next.text === acknowledgement && next.calls.length === 0;
    if (index === latest && !isAnswered) continue;
    blocks.push({
      indices: isAnswered ? [index, index + 1] : [index],
      text: text.slice(header.length, -footer.length),
    });
  }
  return blocks;
}

/** A message of a role in the format of another one; `undefined` where that format gives no way to make it. */
function makeMessage(role: "human" | "ai", content: string, like: unknown): unknown {
  const openAiRole = role === "human" ? "user" : "assistant";
  if (!isRecord(like)) return { role: openAiRole, content };
  const isSameRole = viewOf(like).role === role;
  if (typeof (like.getType ?? like._getType) === "function")
    return isSameRole ? construct(like.constructor, content) : undefined;
  if (like.lc === 1 && Array.isArray(like.id)) {
    const id = like.id.with(-1, role === "human" ? "HumanMessage" : "AIMessage");
    return { lc: 1, type: "constructor", id, kwargs: { content } };
  }
  if (isRecord(like.data) && like.content === undefined) return { type: role, data: { content } };
  if (typeof like.role !== "string") return { type: role, content };
  return { role: isSameRole ? like.role : openAiRole, content };
}

/** Makes a message with the class of another: how LangChain's classes are reached without importing LangChain. */
function construct(messageClass: unknown, content: string): unknown {
  try {
    return typeof messageClass === "function" ? Reflect.construct(messageClass, [{ content }]) : undefined;
  } catch {
    return undefined;
  }
}
