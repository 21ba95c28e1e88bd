import { type FoundMemory, type HostStore, isHostStore, namespaceTemplate } from "../../store/index.ts";
import { callSafely, checkOptions, isCount, isFunction, type OptionKind } from "../../util/index.ts";
import type { ModelInput } from "../models/inputs.ts";
import { memoryModel } from "../models/memory-model.ts";
import { findMemories, proposedQueries, queriesOf } from "./find.ts";
import { type ManagerEvent, readInput } from "./memory-manager.ts";
import { type ManagerConfig, openRun } from "./open-run.ts";
import { defaultSearchPrompt } from "./prompts.ts";

/** How {@link createMemorySearcher} works. */
export interface MemorySearcherOptions {
  /** What to search for, in words for the model. Braces have no meaning in it. */
  readonly prompt?: string;
  /** Default `["memories", "{langgraph_user_id}"]`, as for the managers. */
  readonly namespace?: string | readonly string[];
  /** Default: that of the call's config. */
  readonly store?: HostStore;
  /** The most memories. Default 10. */
  readonly limit?: number;
  readonly onEvent?: (event: ManagerEvent) => void;
}

/** Finds the memories that bear on a conversation. */
export type MemorySearcher = (
  input: { readonly messages: readonly unknown[] | string },
  config?: ManagerConfig,
) => Promise<FoundMemory[]>;

const kinds: Readonly<Record<keyof MemorySearcherOptions, OptionKind>> = {
  prompt: ["a string", (value) => typeof value === "string"],
  namespace: [
    "a string or an array of strings",
    (value) => typeof value === "string" || Array.isArray(value),
  ],
  store: ["a store with get, put, delete and search", isHostStore],
  limit: isCount(1),
  onEvent: isFunction,
};

/**
 * A function that finds the memories that bear on a conversation: a model proposes searches, all of them are made at once, and each memory is
 * there once, the best first. Where the model proposes none, the conversation's last messages are searched with.
 *
 * @throws {KeepsakeError} `invalid_config`; when called `missing_store`, `missing_namespace_value`; and what store and provider throw
 * @example
 * ```ts
 * const searcher = createMemorySearcher("anthropic:claude-sonnet-5", { store, namespace: ["memories", "{userId}"] });
 * const items = await searcher.invoke({ messages }, { configurable: { userId } });
 * ```
 */
export function createMemorySearcher(
  model: ModelInput,
  options: MemorySearcherOptions = {},
): MemorySearcher & { readonly invoke: MemorySearcher } {
  checkOptions("createMemorySearcher", options, kinds);
  const { prompt = defaultSearchPrompt, limit = 10, store, onEvent } = options;
  const template = namespaceTemplate(options.namespace ?? ["memories", "{langgraph_user_id}"]);
  const asked = memoryModel(model);
  const search: MemorySearcher = async (input, config = {}) => {
    const run = openRun("createMemorySearcher", { store, template }, config);
    const { transcript } = readInput(input);
    if (transcript.length === 0) return [];
    const proposed = await proposedQueries({
      ...{ model: asked, transcript, prompt, signal: config.signal },
      onCall: (call) =>
        callSafely(
          () => onEvent?.({ type: "model_call", ...call }),
          (error) => console.warn("createMemorySearcher: onEvent failed.", error),
        ),
    });
    const queries = proposed.length > 0 ? proposed : queriesOf(transcript);
    return findMemories({ ...run, queries, limit });
  };
  return Object.assign((...args: Parameters<MemorySearcher>) => search(...args), { invoke: search });
}
