import type { LangGraphRunnableConfig } from "@langchain/langgraph/web";
import type { ToolStore } from "../../tools/index.ts";
import { checkOptions, isFunction } from "../../util/index.ts";
import { runOf } from "./memory-tool.ts";
import {
  checkSource,
  lastQuestion,
  messagesOf,
  type RecallEngine,
  type RecallOptions,
  recallFrom,
  recallKinds,
} from "./recall.ts";

/** How {@link recallNode} is made. */
export interface RecallNodeOptions<Into extends string = "memory", State = unknown> extends RecallOptions {
  /** The key of the state that the rendered memories are written to. Default `"memory"`. */
  readonly into?: Into | undefined;
  /** What to look for. Default: the last user message of `state.messages`. Nothing is recalled for an empty string. */
  readonly query?:
    | ((state: State, config: LangGraphRunnableConfig) => string | undefined | Promise<string | undefined>)
    | undefined;
}

/** A node of a graph that writes recalled memories into its state. */
export type RecallNode<Into extends string, State> = (
  state: State,
  config: LangGraphRunnableConfig,
) => Promise<{ [Key in Into]: string }>;

/**
 * A node that recalls what bears on the conversation, rendered as data for a prompt. An empty string is written where there is nothing to look for,
 * nothing was found, or the run has neither a namespace nor a thread.
 *
 * @param source An engine or a store. Default: the store of the graph.
 * @throws {KeepsakeError} `invalid_config` here; `missing_store` in a run without one
 * @example
 * ```ts
 * const State = Annotation.Root({ ...MessagesAnnotation.spec, memory: Annotation<string> });
 * const graph = new StateGraph(State)
 *   .addNode("recall", recallNode(store))
 *   .addNode("model", ({ memory, messages }) => …)
 * ```
 */
export function recallNode<const Into extends string = "memory", State = unknown>(
  source?: RecallEngine | ToolStore,
  options: RecallNodeOptions<Into, State> = {},
): RecallNode<Into, State> {
  checkOptions("recallNode", options, {
    ...recallKinds,
    into: ["a string that is not empty", (value) => typeof value === "string" && value !== ""],
    query: isFunction,
  });
  checkSource("recallNode", source);
  const { into = "memory", query = (state: State) => lastQuestion(messagesOf(state)) } = options;
  const recall = recallFrom(source, options);
  return async (state, config) => {
    const memory = await recall((await query(state, config)) ?? "", runOf(config));
    // The key is the one of the type.
    return { [into]: memory } as { [Key in Into]: string };
  };
}
