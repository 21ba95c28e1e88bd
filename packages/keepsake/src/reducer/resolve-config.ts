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
import type { ReducerConfig } from "./config.ts";

const defaults = {
  maxMessages: 20,
  tokenCounter: estimateTokens,
  preserveFirst: true,
  cascadeToolMessages: true,
  boundary: "turn",
  repair: true,
  injectSummary: false,
  onPrune: [],
  namespaceKey: "memory_namespace",
  dedupeOnPrune: true,
  dedupeWindow: 10_000,
  onHookError: "skip",
  now: () => Date.now(),
  logger: console,
} as const satisfies ReducerConfig;

/** A {@link ReducerConfig} with its defaults filled in, checked. */
export type ResolvedConfig<M, N> = ReducerConfig<M, N> & {
  readonly [Field in keyof typeof defaults | "minMessages"]: Exclude<ReducerConfig<M, N>[Field], undefined>;
};

/** The longest delay that timers take. */
const longestTimeoutMs = 2 ** 31 - 1;

const isTimeout: OptionKind = [
  `a whole number from 1 to ${longestTimeoutMs}`,
  (value) => isCount(1)[1](value) && Number(value) <= longestTimeoutMs,
];

/** Every field of the configuration, with what its value must be. */
const fields: Readonly<Record<keyof ReducerConfig, OptionKind>> = {
  maxMessages: [
    "a whole number from 0 on, or null for no limit",
    (value) => value === null || isCount(0)[1](value),
  ],
  minMessages: isCount(0),
  maxTokens: isCount(1),
  targetTokens: isCount(1),
  maxMessageTokens: isCount(1),
  tokenCounter: isFunction,
  preserveFirst: isBoolean,
  cascadeToolMessages: isBoolean,
  boundary: isOneOf("turn", "message"),
  repair: isBoolean,
  pin: isFunction,
  identify: isFunction,
  redact: isFunction,
  summarize: isFunction,
  summaryTimeoutMs: isTimeout,
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
  hookTimeoutMs: isTimeout,
  logger: isLogger,
};

/**
 * Checks a configuration and fills in its defaults.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function resolveConfig<M, N>(config: ReducerConfig<M, N>): ResolvedConfig<M, N> {
  checkOptions("MessageReducer", config, fields);
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const minMessages = Math.min(10, Math.floor((config.maxMessages ?? 20) / 2));
  const resolved: ResolvedConfig<M, N> = { minMessages, ...defaults, ...Object.fromEntries(given) };
  for (const [isProblem, problem] of problemsOf(resolved, config.maxMessages !== undefined)) {
    if (isProblem) throw new KeepsakeError("invalid_config", `MessageReducer: ${problem}`);
  }
  return resolved;
}

/** What may be wrong with the options together, and whether it is. The counts do not matter to who sets `maxTokens` alone. */
function problemsOf<M, N>(config: ResolvedConfig<M, N>, givesCount: boolean): readonly [boolean, string][] {
  const { maxMessages, minMessages, maxTokens, targetTokens = 0, maxMessageTokens = 0 } = config;
  const countsMatter = maxTokens === undefined || givesCount;
  return [
    [
      countsMatter && minMessages > (maxMessages ?? Number.POSITIVE_INFINITY),
      `minMessages (${minMessages}) is more than maxMessages (${maxMessages}). Raise that, or set it to null.`,
    ],
    [targetTokens > 0 && maxTokens === undefined, `targetTokens (${targetTokens}) needs maxTokens.`],
    [
      targetTokens > (maxTokens ?? targetTokens),
      `targetTokens (${targetTokens}) is more than maxTokens (${maxTokens}). Lower it.`,
    ],
    [
      maxMessageTokens > (maxTokens ?? maxMessageTokens),
      `maxMessageTokens (${maxMessageTokens}) is more than maxTokens (${maxTokens}). Lower it.`,
    ],
    [config.injectSummary && config.summarize === undefined, "injectSummary needs summarize."],
  ];
}
