import { KeepsakeError } from "../errors/index.ts";
import { estimateTokens } from "../message/index.ts";
import {
  checkOptions,
  isBoolean,
  isCount,
  isFunction,
  isLogger,
  isOneOf,
  type OptionKind,
} from "../util/index.ts";
import type { WindowOptions } from "../window/index.ts";
import type { ReducerConfig } from "./config.ts";

/** The fields that have a default. */
type Defaulted =
  | keyof Pick<
      WindowOptions,
      "maxMessages" | "minMessages" | "preserveFirst" | "cascadeToolMessages" | "boundary" | "repair"
    >
  | "tokenCounter"
  | "injectSummary"
  | "onPrune"
  | "namespaceKey"
  | "dedupeOnPrune"
  | "dedupeWindow"
  | "onHookError"
  | "now"
  | "logger";

/** A {@link ReducerConfig} with its defaults filled in, checked. */
export type ResolvedConfig<M, N> = ReducerConfig<M, N> & {
  readonly [Field in Defaulted]: Exclude<ReducerConfig<M, N>[Field], undefined>;
};

/** The longest delay that timers take. */
const longestTimeoutMs = 2 ** 31 - 1;

/** Every field of the configuration, with what its value must be. */
const fields: Readonly<Record<keyof ReducerConfig, OptionKind>> = {
  maxMessages: [
    `${isCount(0)[0]}, or null for no limit by count`,
    (value) => value === null || isCount(0)[1](value),
  ],
  minMessages: isCount(0),
  maxTokens: isCount(1),
  targetTokens: isCount(1),
  tokenCounter: isFunction,
  preserveFirst: isBoolean,
  cascadeToolMessages: isBoolean,
  boundary: isOneOf("turn", "message"),
  repair: isBoolean,
  pin: isFunction,
  identify: isFunction,
  redact: isFunction,
  summarize: isFunction,
  injectSummary: isBoolean,
  summaryMessages: isFunction,
  onPrune: [
    "an array of functions",
    (value) => Array.isArray(value) && value.every((hook) => isFunction[1](hook)),
  ],
  namespaceKey: ["a string that is not empty", (value) => typeof value === "string" && value !== ""],
  dedupeOnPrune: isBoolean,
  dedupeWindow: isCount(1),
  onHookError: isOneOf("skip", "retain"),
  onEvent: isFunction,
  now: isFunction,
  hookTimeoutMs: isCount(1, longestTimeoutMs),
  logger: isLogger,
};

/**
 * Checks a configuration and fills in its defaults.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function resolveConfig<M, N>(config: ReducerConfig<M, N>): ResolvedConfig<M, N> {
  checkOptions("MessageReducer", config, fields);
  const { maxMessages = 20 } = config;
  const { minMessages = maxMessages === null ? 10 : Math.min(10, Math.floor(maxMessages / 2)) } = config;
  checkTogether(config, maxMessages, minMessages);
  return {
    ...config,
    maxMessages,
    minMessages,
    tokenCounter: config.tokenCounter ?? estimateTokens,
    preserveFirst: config.preserveFirst ?? true,
    cascadeToolMessages: config.cascadeToolMessages ?? true,
    boundary: config.boundary ?? "turn",
    repair: config.repair ?? true,
    injectSummary: config.injectSummary ?? false,
    onPrune: [...(config.onPrune ?? [])],
    namespaceKey: config.namespaceKey ?? "memory_namespace",
    dedupeOnPrune: config.dedupeOnPrune ?? true,
    dedupeWindow: config.dedupeWindow ?? 10_000,
    onHookError: config.onHookError ?? "skip",
    now: config.now ?? Date.now,
    logger: config.logger ?? console,
  };
}

function checkTogether<M, N>(
  config: ReducerConfig<M, N>,
  maxMessages: number | null,
  minMessages: number,
): void {
  const { maxTokens, targetTokens } = config;
  const countsMatter = maxTokens === undefined || config.maxMessages !== undefined;
  if (countsMatter && maxMessages !== null && minMessages > maxMessages) {
    throw invalid(
      `minMessages (${minMessages}) is more than maxMessages (${maxMessages}). Raise maxMessages, or set it to null for no limit by count.`,
    );
  }
  if (targetTokens !== undefined && maxTokens === undefined) {
    throw invalid(`targetTokens (${targetTokens}) needs maxTokens, the threshold that triggers pruning.`);
  }
  if (targetTokens !== undefined && maxTokens !== undefined && targetTokens > maxTokens) {
    throw invalid(
      `targetTokens (${targetTokens}) is more than maxTokens (${maxTokens}). Lower it, or leave it out.`,
    );
  }
  if (config.injectSummary === true && config.summarize === undefined) {
    throw invalid("injectSummary needs summarize, the function that makes the summary.");
  }
}

function invalid(message: string): KeepsakeError {
  return new KeepsakeError("invalid_config", `MessageReducer: ${message}`);
}
