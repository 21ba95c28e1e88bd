import { type FoundMemory, type HostStore, isKeepsakeStore, placeIn } from "../../store/index.ts";
import { isRecord } from "../../util/index.ts";
import { transcriptParts } from "../extract/transcript-parts.ts";
import { callModel, type ModelCall } from "../models/model-call.ts";
import type { MemoryModel } from "../models/types.ts";
import type { TranscriptMessage } from "../types.ts";
import { readAnswer } from "./ask.ts";
import { transcriptPart } from "./manage.ts";
import { searchSystem } from "./prompts.ts";

/** Windows of the last 1, 2, 4, 8 and 16 messages are searched for. */
const maxWindows = 5;
/** Of a longer text the end is searched for. */
const maxQueryLength = 2_000;
const maxProposed = 10;

/** What a conversation is searched with: the last message of a person, and windows of its last messages. */
export function queriesOf(transcript: readonly TranscriptMessage[]): string[] {
  const lastOfPerson = transcript.findLast(({ role }) => role === "human");
  const windows = Array.from({ length: maxWindows }, (_, index) => transcript.slice(-(2 ** index)));
  const texts = [lastOfPerson === undefined ? [] : [lastOfPerson], ...windows].map((messages) =>
    messages.map(({ text }) => text).join("\n"),
  );
  const queries = texts.map((text) =>
    text
      .slice(-maxQueryLength)
      .replace(/^\p{Surrogate}/u, "")
      .trim(),
  );
  return [...new Set(queries)].filter((query) => query !== "");
}

/** What a model is asked to propose searches for. */
export interface QueryTask {
  readonly model: MemoryModel;
  readonly transcript: readonly TranscriptMessage[];
  readonly prompt: string;
  readonly signal: AbortSignal | undefined;
  readonly onCall: (call: ModelCall) => void;
}

/** The searches that a model proposes; none where it knows none, or its answer cannot be read. */
export async function proposedQueries({
  model,
  transcript,
  prompt,
  signal,
  onCall,
}: QueryTask): Promise<string[]> {
  const answer = await callModel(
    model,
    {
      system: searchSystem,
      prompt: `${transcriptPart(transcriptParts(transcript).at(-1) ?? [])}\n\n${prompt.trim()}`,
      schema: querySchema,
      schemaName: "memory_searches",
      signal,
    },
    "search",
    onCall,
  );
  const queries = readAnswer(answer, readQueries)?.value ?? [];
  return [...new Set(queries.map((query) => query.slice(0, maxQueryLength).trim()))]
    .filter((query) => query !== "")
    .slice(0, maxProposed);
}

const querySchema = {
  type: "object",
  properties: {
    queries: { type: "array", items: { type: "string" }, description: "Searches, each in a few words." },
  },
  required: ["queries"],
  additionalProperties: false,
} as const;

function readQueries(value: unknown): string[] | undefined {
  const queries = Array.isArray(value) ? value : isRecord(value) ? value.queries : undefined;
  return Array.isArray(queries)
    ? queries.filter((query): query is string => typeof query === "string")
    : undefined;
}

/** What is searched, and how much of it is wanted. */
export interface Search {
  readonly store: HostStore;
  readonly namespace: readonly string[];
  readonly queries: readonly string[];
  readonly limit: number;
}

/**
 * The memories of a namespace, and of those below it, that any of the queries finds: each once, the best first. One search per query, all at
 * once, and further pages where raw turns and private memories, which are left out, stand in the way.
 */
export async function findMemories({ store, namespace, queries, limit }: Search): Promise<FoundMemory[]> {
  const best = new Map<string, FoundMemory>();
  let probes = queries.map((query) => ({ query, offset: 0, limit: limit * oversample, found: 0 }));
  while (probes.length > 0) {
    const pages = await searchAll(store, namespace, probes);
    probes = probes.flatMap((probe, index) => {
      const page = pages[index] ?? [];
      const memories = page.filter(({ value }) => isMemory(value));
      for (const item of memories) {
        const id = idOf(item);
        const known = best.get(id);
        if (known === undefined || scoreOf(item) > scoreOf(known)) best.set(id, item);
      }
      const found = probe.found + memories.length;
      if (found >= limit || page.length < probe.limit) return [];
      return [{ ...probe, offset: probe.offset + probe.limit, limit: probe.limit * oversample, found }];
    });
  }
  return [...best.values()].sort((left, right) => scoreOf(right) - scoreOf(left)).slice(0, limit);
}

type Probe = { readonly query: string; readonly offset: number; readonly limit: number };

function searchAll(
  store: HostStore,
  namespace: readonly string[],
  probes: readonly Probe[],
): Promise<FoundMemory[][]> {
  const searches = probes.map(({ query, offset, limit }) => ({ query, offset, limit }));
  if (isKeepsakeStore(store))
    return store.batch(searches.map((search) => ({ namespacePrefix: [...namespace], ...search })));
  return Promise.all(searches.map((search) => placeIn(store, namespace).search(search)));
}

/** Names an item among those of several namespaces. */
export function idOf({
  namespace,
  key,
}: {
  readonly namespace: readonly string[];
  readonly key: string;
}): string {
  return JSON.stringify([namespace, key]);
}

/** Turns and private memories may stand in the way; a filter by `kind` would leave out what has none. */
const oversample = 4;

function isMemory(value: Readonly<Record<string, unknown>>): boolean {
  return value.kind !== "turn" && value.private !== true;
}

function scoreOf({ score }: FoundMemory): number {
  return typeof score === "number" ? score : Number.NEGATIVE_INFINITY;
}
