import { isHostStore, namespaceTemplate } from "../store/index.ts";
import { checkOptions, type OptionKind } from "../util/index.ts";
import type { ToolSettings } from "./open-place.ts";
import type { ToolLogger, ToolStore } from "./types.ts";

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
  return {
    name: options.name ?? defaultName,
    template: namespaceTemplate(options.namespace),
    store: options.store,
    logger: options.logger ?? console,
  };
}
