import { KeepsakeError } from "../errors/index.ts";
import { isHostStore, namespaceTemplate } from "../store/index.ts";
import { checkOptions, type OptionKind } from "../util/index.ts";
import type { ToolSettings } from "./open-place.ts";
import type { ToolEngine, ToolLogger, ToolStore } from "./types.ts";

/** What both memory tools are made with. */
export interface ToolOptions {
  /**
   * Where the memories are: labels, or a scope path that begins with `/`. `{placeholders}` are filled for each call from the run's
   * `configurable`, then its `context`; never by the model.
   */
  readonly namespace: string | readonly string[];
  /** When to call the tool, in words for the model. They follow the first sentences of its description. */
  readonly instructions?: string;
  /** Default: the store of the run. */
  readonly store?: ToolStore;
  /** An engine in place of a store: what is written goes into its history, and private memories are neither shown nor changed. */
  readonly engine?: ToolEngine;
  /** What the model calls the tool. */
  readonly name?: string;
  /** Where the app's mistakes are written; default `console`. */
  readonly logger?: ToolLogger;
}

const isText: OptionKind = ["a string", (value) => typeof value === "string"];

const kinds: Readonly<Record<string, OptionKind>> = {
  namespace: [
    'a string or an array of strings, such as ["memories", "{userId}"]',
    (value) => typeof value === "string" || Array.isArray(value),
  ],
  instructions: isText,
  store: ["a store with get, put, delete and search", isHostStore],
  engine: ["an engine with get, list, recall, remember, update and forget", isToolEngine],
  name: [
    "1 to 64 of the characters a-z A-Z 0-9 _ -, as providers ask for",
    (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
  ],
  logger: [
    "an object with the functions warn and error",
    (value) => typeof Object(value).warn === "function" && typeof Object(value).error === "function",
  ],
};

/**
 * Checks the options that both tools have, and those of one of them (`more`).
 *
 * @throws {KeepsakeError} invalid_config
 */
export function toolSettings(
  defaultName: string,
  options: ToolOptions,
  more: Readonly<Record<string, OptionKind>>,
): ToolSettings {
  checkOptions(`The tool ${defaultName}`, options, { ...kinds, ...more });
  if (options.engine !== undefined && options.store !== undefined) {
    throw new KeepsakeError(
      "invalid_config",
      `The tool ${defaultName}: pass an engine or a store, not both; the engine has a store.`,
    );
  }
  return {
    name: options.name ?? defaultName,
    template: namespaceTemplate(options.namespace),
    store: options.store,
    engine: options.engine,
    logger: options.logger ?? console,
  };
}

/** True for what has the six functions that the tools call. */
function isToolEngine(engine: unknown): engine is ToolEngine {
  const methods = ["get", "list", "recall", "remember", "update", "forget"];
  return methods.every((method) => typeof Object(engine)[method] === "function");
}
