import { KeepsakeError } from "../errors/index.ts";
import type { Ranking } from "../search/index.ts";
import { didYouMean, isRecord } from "../util/index.ts";
import { type IndexField, resolveFields } from "./index-fields.ts";

/** How a store indexes and ranks. */
export interface StoreIndex {
  readonly fields: readonly IndexField[];
  readonly ranking: Ranking;
  readonly embedder: undefined;
}

const names = ["dims", "embed", "embeddings", "fields", "ranking"];
const defaultRanking: Ranking = { keyword: 1, vector: 0.4, k: 20 };

/**
 * Checks the `index` option of a store.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function resolveIndex(config: unknown = {}): StoreIndex {
  if (!isRecord(config)) throw invalid('`index` is an object such as { fields: ["content"] }.', config);
  checkNames(config);
  return { fields: resolveFields(config.fields), ranking: defaultRanking, embedder: undefined };
}

function checkNames(config: object): void {
  for (const name of Object.keys(config)) {
    if (names.includes(name)) continue;
    const meant = didYouMean(name, names);
    throw invalid(
      `\`index\` has no option "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
      name,
    );
  }
}

function invalid(message: string, value: unknown): KeepsakeError {
  return new KeepsakeError("invalid_config", message, { data: { value } });
}
