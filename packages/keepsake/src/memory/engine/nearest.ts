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

/**
 * The memories that are nearest to each fact, in the very namespace, and those of the same property of the same subject, which may share no
 * word with it: all searches in one batch, and one more where some need to look deeper.
 */
export async function surroundingsOf(
  drafts: readonly Draft[],
  batch: Batch,
  core: EngineCore,
): Promise<Surroundings[]> {
  const { consolidationLimit } = core.settings;
  const limit = consolidationLimit * oversample;
  const [first, topical] = await firstSearches(drafts, limit, batch, core);
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
      distinct([...found, ...(topical.get(draft.value.topic) ?? [])]).filter((item) => isOwn(item, batch)),
      core,
    );
  });
}

interface SearchOperation {
  readonly namespacePrefix: readonly string[];
  readonly query?: string;
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

async function firstSearches(
  drafts: readonly Draft[],
  limit: number,
  batch: Batch,
  core: EngineCore,
): Promise<[SearchItem[][], ReadonlyMap<string | undefined, SearchItem[]>]> {
  if (drafts.length === 0) return [[], new Map()];
  // Facts of one topic look for it once.
  const topics = new Map(
    drafts.flatMap((draft) => {
      const { topic } = draft.value;
      return topic === undefined ? [] : [[topic, draft] as const];
    }),
  );
  const found: SearchItem[][] = await core.store.batch([
    ...drafts.map((draft) => searchFor(draft, limit, batch)),
    ...[...topics.values()].map((draft) => topicSearch(draft, limit, batch)),
  ]);
  const names = [...topics.keys()];
  const rest = found.slice(drafts.length);
  return [found.slice(0, drafts.length), new Map(names.map((name, index) => [name, rest[index] ?? []]))];
}

function topicSearch({ value }: Draft, limit: number, { namespace, signal }: Batch): SearchOperation {
  return {
    namespacePrefix: [...namespace],
    filter: { topic: value.topic },
    limit,
    ...(signal === undefined ? {} : { signal }),
  };
}

function distinct(items: readonly SearchItem[]): SearchItem[] {
  const known = new Set<string>();
  return items.filter(({ namespace, key }) => known.size < known.add(JSON.stringify([namespace, key])).size);
}

async function searchAll(
  drafts: readonly Draft[],
  limit: number,
  batch: Batch,
  { store }: EngineCore,
): Promise<SearchItem[][]> {
  if (drafts.length === 0) return [];
  const found: SearchItem[][] = await store.batch(drafts.map((draft) => searchFor(draft, limit, batch)));
  return found;
}

function searchFor({ value }: Draft, limit: number, { namespace, signal }: Batch): SearchOperation {
  return {
    namespacePrefix: [...namespace],
    query: memoryText(value.content).slice(0, queryLength),
    limit,
    ...(signal === undefined ? {} : { signal }),
  };
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
    .sort((left, right) => Number(isSameTopic(right.record, value)) - Number(isSameTopic(left.record, value)))
    .slice(0, settings.consolidationLimit)
    .sort((left, right) => right.similarity - left.similarity)
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
