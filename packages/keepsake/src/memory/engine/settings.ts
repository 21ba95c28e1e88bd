import { KeepsakeError } from "../../errors/index.ts";
import { isKeepsakeStore } from "../../store/index.ts";
import {
  checkOptions,
  isBoolean,
  isCount,
  isFunction,
  isLogger,
  isRecord,
  type OptionKind,
  safeLogger,
} from "../../util/index.ts";
import type { RecallSettings } from "../recall/types.ts";
import type { EngineConfig, MemoryEngineOptions } from "./types.ts";

/** How an engine merges and recalls. */
export interface EngineSettings extends RecallSettings {
  readonly consolidationThreshold: number;
  readonly consolidationLimit: number;
}

const defaults: Omit<EngineSettings, "now" | "logger"> = {
  semanticWeight: 0.5,
  recencyWeight: 0.3,
  importanceWeight: 0.2,
  recencyHalfLifeDays: 30,
  consolidationThreshold: 0.85,
  consolidationLimit: 5,
  recallOversample: 3,
  defaultImportance: 0.5,
  touchOnRecall: true,
};

const isWeight: OptionKind = ["a number, 0 or more", (value) => Number.isFinite(value) && Number(value) >= 0];
const isShare: OptionKind = [
  "a number from 0 to 1",
  (value) => typeof value === "number" && value >= 0 && value <= 1,
];

const configKinds: Readonly<Record<keyof EngineConfig, OptionKind>> = {
  semanticWeight: isWeight,
  recencyWeight: isWeight,
  importanceWeight: isWeight,
  recencyHalfLifeDays: ["a number of days above 0", (value) => Number.isFinite(value) && Number(value) > 0],
  consolidationThreshold: isShare,
  consolidationLimit: isCount(1),
  recallOversample: ["a number from 1 on", (value) => Number.isFinite(value) && Number(value) >= 1],
  defaultImportance: isShare,
  touchOnRecall: isBoolean,
};

const anything: OptionKind = ["anything", () => true];

const optionKinds: Readonly<Record<keyof MemoryEngineOptions, OptionKind>> = {
  store: anything,
  model: anything,
  extractor: isFunction,
  consolidator: isFunction,
  schema: anything,
  config: ["an object", isRecord],
  prompts: ["an object of texts", isRecord],
  onEvent: isFunction,
  logger: isLogger,
  now: isFunction,
};

/**
 * Checks what an engine is made of.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function checkEngineOptions(options: MemoryEngineOptions): void {
  checkOptions("MemoryEngine", options, optionKinds);
  checkStore(options.store);
  const { model, extractor, consolidator, prompts } = options;
  if (model === undefined && (extractor === undefined || consolidator === undefined)) {
    const missing = extractor === undefined ? "`extractor`" : "`consolidator`";
    const both = extractor === undefined && consolidator === undefined;
    throw invalid(
      `${both ? "there is neither a model nor a function in its place" : `without a model ${missing} is missing`}. Pass \`model\`, such as "anthropic:claude-sonnet-5", or both \`extractor\` and \`consolidator\`; to keep what was said without a model, use rememberVerbatim(store).`,
    );
  }
  if (model === undefined && prompts !== undefined)
    throw invalid("there are `prompts` but no `model` that they could be for.");
}

/** The settings of an engine, with the defaults filled in. Throws as {@link checkEngineOptions}. */
export function engineSettings({
  config = {},
  now = Date.now,
  logger = console,
}: MemoryEngineOptions): EngineSettings {
  checkOptions("MemoryEngine, config", config, configKinds);
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...given };
  const { semanticWeight, recencyWeight, importanceWeight } = settings;
  if (semanticWeight + recencyWeight + importanceWeight === 0)
    throw invalid("semanticWeight, recencyWeight and importanceWeight are all 0; one must be more.");
  return { ...settings, now, logger: safeLogger(logger) };
}

function checkStore(store: unknown): void {
  const use =
    "Use InMemoryStore of keepsake/store, SqliteStore of keepsake/sqlite or PostgresStore of keepsake/postgres";
  if (store === undefined || store === null) throw invalid(`there is no \`store\`. ${use}.`);
  if (!isKeepsakeStore(store)) {
    const isOther = isRecord(store) && typeof store.batch === "function";
    throw invalid(
      isOther
        ? `the store cannot compare and set, so that two writers would overwrite each other: it is not one of keepsake's (LangGraph's InMemoryStore and PostgresStore are not). ${use}; they go into compile({ store }) as well.`
        : `what is given as the \`store\` is none. ${use}.`,
    );
  }
  const { keyword, vector } = store.capabilities;
  if (!keyword && !vector) {
    throw invalid(
      "the store can rank neither by keywords nor by vectors, so nothing would be recalled. Give it an embedder, `index: { embed }`, or use one of keepsake's stores.",
    );
  }
}

function invalid(problem: string): KeepsakeError {
  return new KeepsakeError("invalid_config", `MemoryEngine: ${problem}`);
}
