import { isRecord } from "../util/index.ts";
import { recordOf } from "./record.ts";

const header = "Summary of the conversation so far:\n<conversation_summary>\n";
const footer = "\n</conversation_summary>";
const acknowledgement = "OK";

type Body = Readonly<Record<string, unknown>>;

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
  const human = like.find((message) => recordOf(message)?.view.role === "human");
  const ai = like.find((message) => recordOf(message)?.view.role === "ai");
  const summary = makeMessage("human", header + text + footer, human ?? ai);
  const answer = makeMessage("ai", acknowledgement, ai ?? human);
  return answer === undefined || summary === undefined
    ? [summary ?? plain("user", header + text + footer)]
    : [summary, answer];
}

/**
 * Finds the summary blocks of {@link makeSummaryBlock} by their text, so also after a trip through JSON or a checkpoint. The latest user
 * message is never one: somebody may have typed it.
 */
export function findSummaryBlocks(messages: readonly unknown[]): SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
  const latest = messages.findLastIndex((message) => recordOf(message)?.view.startsTurn === true);
  for (let index = 0; index < latest; index += 1) {
    const view = recordOf(messages[index])?.view;
    if (view?.role !== "human" || !view.text.startsWith(header) || !view.text.endsWith(footer)) continue;
    const next = recordOf(messages[index + 1])?.view;
    const answered = next?.role === "ai" && next.text === acknowledgement && next.calls.length === 0;
    blocks.push({
      indices: answered ? [index, index + 1] : [index],
      text: view.text.slice(header.length, -footer.length),
    });
  }
  return blocks;
}

/** A message of a role in the format of another one; `undefined` where that format gives no way to make it. */
function makeMessage(role: "human" | "ai", content: string, like: unknown): unknown {
  const openAi = role === "human" ? "user" : "assistant";
  if (!isRecord(like)) return plain(openAi, content);
  if (typeof like.getType === "function" || typeof like._getType === "function") {
    return recordOf(like)?.view.role === role ? construct(like.constructor, content) : undefined;
  }
  if (like.lc === 1 && Array.isArray(like.id)) {
    const id = [...like.id.slice(0, -1), role === "human" ? "HumanMessage" : "AIMessage"];
    return {
      lc: 1,
      type: "constructor",
      id,
      kwargs: { content, additional_kwargs: {}, response_metadata: {} },
    };
  }
  if (isRecord(like.data) && like.content === undefined) return { type: role, data: { content } };
  if (like.role === undefined && typeof like.type === "string") return { type: role, content };
  return recordOf(like)?.view.role === role ? plain(String(like.role), content) : plain(openAi, content);
}

function plain(role: string, content: string): Body {
  return { role, content };
}

/** Makes a message with the class of another: how LangChain's classes are reached without importing LangChain. */
function construct(messageClass: unknown, content: string): unknown {
  if (typeof messageClass !== "function") return undefined;
  try {
    return Reflect.construct(messageClass, [{ content }]) as unknown;
  } catch {
    return undefined;
  }
}
