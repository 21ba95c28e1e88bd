import type { SearchItem } from "../../store/index.ts";
import { memoryRecord, memoryText } from "../record.ts";
import type { MemoryRecord } from "../types.ts";
import type { Batch, EngineCore } from "./core.ts";
import type { Draft } from "./drafts.ts";
import { isSameFact, normalText } from "./identity.ts";

/** What is known of a fact's surroundings. */
export interface Surroundings {
  /** A memory that says the same already. */
  readonly same: MemoryRecord | undefined;
  /** Memories that the fact may change or repeat, the most similar first. */
  readonly nearest: readonly MemoryRecord[];
}

const queryLength = 2000;
/** So many more are looked at than are shown, as some are of nested namespaces, of others, or of another subject. */
const oversample = 3;
/** Where those crowd out the rest, this many. */
const deepLimit = 200;

/** The memories that are nearest to each fact, in the very namespace: all searches in one batch, and one more where some need to look deeper. */
export async function surroundingsOf(
  drafts: readonly Draft[],
  batch: Batch,
  core: EngineCore,
): Promise<Surroundings[]> {
  const { consolidationLimit } = core.settings;
  const limit = consolidationLimit * oversample;
  const first = await searchAll(drafts, limit, batch, core);
  const isCrowded = first.map(
    (found) =>
      found.length === limit && found.filter((item) => isOwn(item, batch)).length < consolidationLimit,
  );
  const crowded = drafts.filter((_, index) => isCrowded[index]);
  const deeper = await searchAll(crowded, Math.max(limit, deepLimit), batch, core);
  return drafts.map((draft, index) => {
    const found = (isCrowded[index] ? deeper.shift() : first[index]) ?? [];
    return judgeHits(
      draft,
      found.filter((item) => isOwn(item, batch)),
      core,
    );
  });
}

async function searchAll(
  drafts: readonly Draft[],
  limit: number,
  { namespace, signal }: Batch,
  { store }: EngineCore,
): Promise<SearchItem[][]> {
  if (drafts.length === 0) return [];
  const operations = drafts.map(({ value }) => ({
    namespacePrefix: [...namespace],
    query: memoryText(value.content).slice(0, queryLength),
    limit,
    ...(signal === undefined ? {} : { signal }),
  }));
  const found: SearchItem[][] = await store.batch(operations);
  return found;
}

/** Raw turns are no memories that a fact could change. */
function isOwn({ namespace, value }: SearchItem, batch: Batch): boolean {
  return namespace.length === batch.namespace.length && value.kind !== "turn";
}

function judgeHits({ value }: Draft, hits: readonly SearchItem[], { settings }: EngineCore): Surroundings {
  const same = hits.find((hit) => isSameFact(hit.value, value));
  const nearest = hits
    .map((hit) => ({ record: memoryRecord(hit, settings), similarity: similarityOf(hit) }))
    .filter(
      ({ record }) => record.private === (value.private === true) && record.source === (value.source ?? null),
    )
    .filter(
      ({ record, similarity }) => similarity >= settings.consolidationThreshold || isSameTopic(record, value),
    )
    .sort((left, right) => right.similarity - left.similarity)
    .slice(0, settings.consolidationLimit)
    .map(({ record }) => record);
  return { same: same && memoryRecord(same, settings), nearest };
}

/** Comparable between queries: the cosine, or where there are no vectors the share of the best possible keyword score. */
function similarityOf({ signals }: SearchItem): number {
  return signals?.vector ?? signals?.keyword ?? 0;
}

/** The same property of the same subject is what a new fact contradicts, in whatever words it is said. */
function isSameTopic(record: MemoryRecord, { subject, attribute }: Draft["value"]): boolean {
  if (subject === undefined || attribute === undefined) return false;
  return isAlike(record.subject, subject) && isAlike(record.attribute, attribute);
}

/** True for two names of the same subject or attribute. */
export function isAlike(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && normalText(left) === normalText(right);
}
