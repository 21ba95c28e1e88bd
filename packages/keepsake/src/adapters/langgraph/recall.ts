import type { BaseMessage } from "@langchain/core/messages";
import { KeepsakeError } from "../../errors/index.ts";
import { renderMemories } from "../../memory/index.ts";
import { viewOf } from "../../message/index.ts";
import { isHostStore, underlyingStore } from "../../store/index.ts";
import { type EngineMemory, searchMemoryTool, type ToolRun, type ToolStore } from "../../tools/index.ts";
import { isCount, type OptionKind } from "../../util/index.ts";
import { type NamespaceOptions, namespaceKinds, runNamespace } from "./run-namespace.ts";

/** What recalls memories by meaning: a `MemoryEngine` does. */
export interface RecallEngine {
  recall(
    query: string,
    namespace: string[],
    options: { limit: number },
  ): Promise<readonly { readonly record: EngineMemory }[]>;
}

/** How much is recalled, and whose. */
export interface RecallOptions extends NamespaceOptions {
  /** The most memories. Default 5. */
  readonly limit?: number | undefined;
  /** The most tokens, as estimated, that they take up. Default 2000. */
  readonly maxTokens?: number | undefined;
}

/** The kinds of {@link RecallOptions}, to be checked. */
export const recallKinds: Readonly<Record<keyof RecallOptions, OptionKind>> = {
  ...namespaceKinds,
  limit: isCount(1),
  maxTokens: isCount(1),
};

/** Finds memories for a query and renders them for a prompt; an empty string where there are none, or nobody knows whose. */
export type Recall = (query: string, run: ToolRun) => Promise<string>;

/** A {@link Recall} from an engine, from a store, or, without one, from the store of each run. */
export function recallFrom(source: RecallEngine | ToolStore | undefined, options: RecallOptions): Recall {
  const { limit = 5, maxTokens = 2000 } = options;
  const scope = runNamespace(options);
  if (isRecallEngine(source)) {
    return async (query, run) => {
      const namespace = scope.labels(run);
      if (query.trim() === "" || namespace === null) return "";
      return renderMemories(await source.recall(query, namespace, { limit }), { maxTokens });
    };
  }
  const { find } = searchMemoryTool({
    name: "recall",
    namespace: scope.template,
    ...(source === undefined ? {} : { store: underlyingStore(source) }),
    // What is thrown here reaches the developer.
    logger: { warn: (...parts) => console.warn(...parts), error() {} },
  });
  return async (query, run) => {
    if (query.trim() === "" || scope.labels(run) === null) return "";
    const { items } = await find({ query, limit }, scope.fill(run));
    const shown = items.filter(({ value }) => value.private !== true);
    return renderMemories(shown, { maxTokens });
  };
}

/** True for what has a function `recall`. */
function isRecallEngine(source: unknown): source is RecallEngine {
  return typeof Object(source).recall === "function";
}

/** @throws {KeepsakeError} `invalid_config` for what is neither an engine nor a store */
export function checkSource(subject: string, source: unknown): void {
  if (source === undefined || isRecallEngine(source) || isHostStore(source)) return;
  throw new KeepsakeError(
    "invalid_config",
    `${subject}: memories come from an engine, with a function recall, or a store, with get, put, delete and search.`,
  );
}

/** What a conversation is about at the moment: the text of the last user message, or an empty string. */
export function lastQuestion(messages: readonly unknown[]): string {
  const last = messages.findLast((message) => viewOf(message).startsTurn);
  return last === undefined ? "" : viewOf(last).text;
}

/** The message list of a graph's state. */
export function messagesOf(state: unknown): readonly BaseMessage[] {
  const { messages } = Object(state);
  return Array.isArray(messages) ? messages : [];
}
