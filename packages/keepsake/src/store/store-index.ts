import { KeepsakeError } from "../errors/index.ts";
import type { Ranking } from "../search/index.ts";
import { didYouMean, harmless, isRecord } from "../util/index.ts";
import { createTextEmbedder, type TextEmbedder } from "./embed-texts.ts";
import { type IndexField, resolveFields } from "./index-fields.ts";
import { resolveEmbedder } from "./resolve-embedder.ts";

/** How a store indexes and ranks. */
export interface StoreIndex {
  readonly fields: readonly IndexField[];
  readonly ranking: Ranking;
  /** `undefined`: by keywords only. */
  readonly embedder: TextEmbedder | undefined;
}

const names = ["dims", "embed", "embeddings", "fields", "ranking"];
/** Chosen on LoCoMo's development conversations: see `docs/search.md`. */
const defaultRanking: Ranking = { keyword: 1, vector: 0.4, k: 200 };

/**
 * Checks the `index` option of a store.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function resolveIndex(config: unknown = {}): StoreIndex {
  if (!isRecord(config)) throw invalid('`index` is an object such as { fields: ["content"] }.', config);
  checkNames("`index`", config, names);
  const { dims, embed, embeddings, fields, ranking } = config;
  return {
    fields: resolveFields(fields),
    ranking: resolveRanking(ranking),
    embedder: resolveTextEmbedder(embed ?? embeddings, checkDims(dims)),
  };
}

function resolveTextEmbedder(embed: unknown, dims: number | undefined): TextEmbedder | undefined {
  if (embed !== undefined && embed !== null) return createTextEmbedder(resolveEmbedder(embed), dims);
  if (dims === undefined) return undefined;
  throw invalid("`index.dims` is given without `index.embed`: there is nothing that makes vectors.", dims);
}

function checkDims(dims: unknown): number | undefined {
  if (dims === undefined || dims === null) return undefined;
  if (typeof dims === "number" && Number.isSafeInteger(dims) && dims >= 1) return dims;
  throw invalid(`\`index.dims\` is ${String(harmless(dims))}; it is a whole number of at least 1.`, dims);
}

function resolveRanking(given: unknown): Ranking {
  if (given === undefined || given === null) return defaultRanking;
  if (!isRecord(given)) throw invalid("`index.ranking` is an object such as { vector: 0.5 }.", given);
  checkNames("`index.ranking`", given, Object.keys(defaultRanking));
  const read = (name: keyof Ranking): number => {
    const value = given[name];
    if (value === undefined) return defaultRanking[name];
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
    throw invalid(`\`index.ranking.${name}\` is ${String(harmless(value))}; it is a number above 0.`, value);
  };
  const k = read("k");
  if (!Number.isSafeInteger(k))
    throw invalid(`\`index.ranking.k\` is ${k}; it is a whole number of at least 1.`, k);
  return { keyword: read("keyword"), vector: read("vector"), k };
}

function checkNames(place: string, config: object, known: readonly string[]): void {
  for (const name of Object.keys(config)) {
    if (known.includes(name)) continue;
    const meant = didYouMean(name, known);
    throw invalid(
      `${place} has no option "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
      name,
    );
  }
}

function invalid(message: string, value: unknown): KeepsakeError {
  return new KeepsakeError("invalid_config", message, { data: { value: harmless(value) } });
}
