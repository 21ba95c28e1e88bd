import { KeepsakeError } from "../errors/index.ts";
import { estimateTokens } from "../message/index.ts";
import { didYouMean, isRecord } from "../util/index.ts";
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

/** Every field of the configuration, with what its value must be. */
const fields = {
  maxMessages: "count or null",
  minMessages: "count",
  maxTokens: "positive",
  targetTokens: "positive",
  tokenCounter: "function",
  preserveFirst: "boolean",
  cascadeToolMessages: "boolean",
  boundary: ["turn", "message"],
  repair: "boolean",
  pin: "function",
  identify: "function",
  redact: "function",
  summarize: "function",
  injectSummary: "boolean",
  summaryMessages: "function",
  onPrune: "hooks",
  namespaceKey: "string",
  dedupeOnPrune: "boolean",
  dedupeWindow: "positive",
  onHookError: ["skip", "retain"],
  onEvent: "function",
  now: "function",
  hookTimeoutMs: "timeout",
  logger: "logger",
} as const satisfies Record<keyof ReducerConfig, string | readonly string[]>;

/** Names of the Python originals that differ by more than their spelling. */
const pythonNames: Readonly<Record<string, string>> = {
  summarize_fn: "summarize",
  summary_message_factory: "summaryMessages",
  on_prune: "onPrune",
};

type Kind = Exclude<(typeof fields)[keyof typeof fields], readonly string[]>;

/** The longest delay that timers take. */
const longestTimeoutMs = 2 ** 31 - 1;

const kinds: Readonly<Record<Kind, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
  "count or null": [
    "a whole number from 0 on, or null for no limit by count",
    (value) => value === null || isCount(value),
  ],
  count: ["a whole number from 0 on", isCount],
  positive: ["a whole number from 1 on", (value) => isCount(value) && value > 0],
  timeout: [
    `a whole number of milliseconds from 1 to ${longestTimeoutMs}`,
    (value) => isCount(value) && value > 0 && value <= longestTimeoutMs,
  ],
  function: ["a function", (value) => typeof value === "function"],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  string: ["a string that is not empty", (value) => typeof value === "string" && value !== ""],
  hooks: [
    "an array of functions",
    (value) => Array.isArray(value) && value.every((hook) => typeof hook === "function"),
  ],
  logger: [
    "an object with the functions debug and warn",
    (value) => isRecord(value) && typeof value.debug === "function" && typeof value.warn === "function",
  ],
};

/**
 * Checks a configuration and fills in its defaults.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function resolveConfig<M, N>(config: ReducerConfig<M, N>): ResolvedConfig<M, N> {
  checkFields(config);
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

function checkFields(config: unknown): void {
  if (!isRecord(config)) throw invalid(`The configuration must be an object, not ${show(config)}.`);
  for (const [name, value] of Object.entries(config)) {
    if (!isField(name)) throw unknownField(name);
    const kind = fields[name];
    if (value === undefined) continue;
    if (typeof kind !== "string") {
      if (!kind.some((choice) => choice === value)) {
        throw invalid(
          `${name} must be ${kind.map((choice) => `"${choice}"`).join(" or ")}, not ${show(value)}.`,
        );
      }
    } else if (!kinds[kind][1](value))
      throw invalid(`${name} must be ${kinds[kind][0]}, not ${show(value)}.`);
  }
}

function isField(name: string): name is keyof typeof fields {
  return Object.hasOwn(fields, name);
}

function unknownField(name: string): KeepsakeError {
  const meant =
    (Object.hasOwn(pythonNames, name) ? pythonNames[name] : undefined) ??
    didYouMean(name, Object.keys(fields));
  const hint =
    meant === undefined ? `Known are ${Object.keys(fields).join(", ")}.` : `Did you mean "${meant}"?`;
  return invalid(`Unknown configuration field "${name}". ${hint}`);
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

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (Array.isArray(value))
    return `[${value.slice(0, 10).map(show).join(", ")}${value.length > 10 ? ", …" : ""}]`;
  if (typeof value === "string") return `"${value}"`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function invalid(message: string): KeepsakeError {
  return new KeepsakeError("invalid_config", message);
}
