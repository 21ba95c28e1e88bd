import { KeepsakeError } from "../errors/index.ts";
import type { Awaitable } from "../util/index.ts";
import { after } from "./after.ts";
import type { BackendSession, Embedding, IndexRecord, Place, VectorModel } from "./backend.ts";
import type { Embedded, TextEmbedder } from "./embed-texts.ts";
import type { QueryRequest } from "./search-options.ts";

/** Texts to embed: those of an item, with their hash, or a query. */
export type Wanted =
  | { readonly kind: "item"; readonly place: Place; readonly texts: readonly string[]; readonly hash: string }
  | { readonly kind: "query"; readonly text: string; readonly mode: QueryRequest["mode"] };

/** What an operation gets of the embedder: vectors, or the reason why there are none. */
export interface VectorOutcome {
  readonly vectors: readonly Float32Array[] | undefined;
  readonly error: KeepsakeError | undefined;
}

interface Prepared extends VectorOutcome {
  /** They were stored before, for the same text. */
  readonly kept: boolean;
}

/** The outcomes for a list of operations, before the session in which they are used. */
export interface PreparedVectors {
  readonly outcomes: readonly (Prepared | undefined)[];
  /** What the kept ones were made by. */
  readonly model: VectorModel | undefined;
  readonly name: string | undefined;
}

type Read = <T>(work: (session: BackendSession) => Awaitable<T>) => Promise<T>;
type WantedItem = Extract<Wanted, { kind: "item" }>;

/** Embeds what the operations want, outside of any transaction; what is stored already for the same text is taken from there. */
export async function prepareVectors(
  wanted: readonly (Wanted | undefined)[],
  embedder: TextEmbedder,
  read: Read,
  signal: AbortSignal | undefined,
): Promise<PreparedVectors> {
  const items = wanted.filter((want): want is WantedItem => want?.kind === "item");
  const { record, stored } = items.length === 0 ? nothingStored : await read(storedFor(items));
  const keptOf = (item: WantedItem): Embedding | undefined => {
    const known = stored.get(item);
    return known?.hash === item.hash ? known : undefined;
  };
  const renamed = conflict(record.model, { name: embedder.name, dims: record.model?.dims ?? 0 });
  const texts = renamed === undefined ? items.flatMap((item) => (keptOf(item) ? [] : item.texts)) : [];
  const queries = wanted.flatMap((want) => (want?.kind === "query" ? [want.text] : []));
  const [documentVectors, queryVectors] = await Promise.all([
    embedder.embed(texts, "document"),
    embedder.embed(queries, "query", signal),
  ]);
  const outcomes = wanted.map((want): Prepared | undefined => {
    if (want === undefined) return undefined;
    if (want.kind === "query") return gather([want.text], queryVectors);
    const kept = keptOf(want);
    if (kept !== undefined) return { vectors: kept.vectors, error: undefined, kept: true };
    if (renamed !== undefined) return { vectors: undefined, error: renamed, kept: false };
    return gather(want.texts, documentVectors);
  });
  return { outcomes, model: record.model, name: embedder.name };
}

const nothingStored: { record: IndexRecord; stored: ReadonlyMap<WantedItem, Embedding | undefined> } = {
  record: { fields: undefined, model: undefined },
  stored: new Map(),
};

function storedFor(
  items: readonly WantedItem[],
): (session: BackendSession) => Awaitable<typeof nothingStored> {
  return (session) =>
    after(session.indexRecord(), (record) =>
      after(session.embeddings(items.map(({ place }) => place)), (embeddings) => ({
        record,
        stored: new Map(items.map((item, index) => [item, embeddings[index]])),
      })),
    );
}

function gather(texts: readonly string[], embedded: ReadonlyMap<string, Embedded>): Prepared {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const vector = embedded.get(text);
    if (!(vector instanceof Float32Array)) return { vectors: undefined, error: vector, kept: false };
    vectors.push(vector);
  }
  return { vectors, error: undefined, kept: false };
}

/**
 * Holds prepared vectors to the model that the store has recorded by now, and records the model of the first ones. What does not fit is left
 * out, with the reason.
 */
export function admitVectors(
  { outcomes, model, name }: PreparedVectors,
  session: BackendSession,
  wanted: readonly (Wanted | undefined)[],
): Awaitable<readonly (VectorOutcome | undefined)[]> {
  if (!outcomes.some((outcome) => outcome?.vectors !== undefined)) return outcomes;
  return after(session.indexRecord(), (record) => {
    if (record.model !== undefined) {
      const recorded = record.model;
      return outcomes.map((outcome) => outcome && admitted(outcome, name, recorded, model));
    }
    const [first] = outcomes.flatMap((outcome, index) =>
      wanted[index]?.kind === "item" ? (outcome?.vectors?.slice(0, 1) ?? []) : [],
    );
    // There is no vector to compare a query with.
    if (first === undefined) return outcomes.map((outcome) => outcome && { ...outcome, vectors: undefined });
    const learnt = { name, dims: first.length };
    return after(session.recordIndex({ ...record, model: learnt }), () =>
      outcomes.map((outcome) => outcome && admitted(outcome, name, learnt, model)),
    );
  });
}

function admitted(
  outcome: Prepared,
  name: string | undefined,
  recorded: VectorModel,
  preparedFor: VectorModel | undefined,
): VectorOutcome {
  if (outcome.kept) return sameModel(recorded, preparedFor) ? outcome : { ...outcome, vectors: undefined };
  const [first] = outcome.vectors ?? [];
  if (first === undefined) return outcome;
  const error = conflict(recorded, { name, dims: first.length });
  return error === undefined ? outcome : { vectors: undefined, error };
}

/** True where nothing tells the models apart. */
export function sameModel(left: VectorModel | undefined, right: VectorModel | undefined): boolean {
  return left?.name === right?.name && left?.dims === right?.dims;
}

/** Why vectors of the one model must not stand beside those of the other. A model without a name is taken for any of its dims. */
export function conflict(recorded: VectorModel | undefined, offered: VectorModel): KeepsakeError | undefined {
  if (recorded === undefined) return undefined;
  const renamed = recorded.name !== undefined && offered.name !== undefined && recorded.name !== offered.name;
  if (!renamed && recorded.dims === offered.dims) return undefined;
  return new KeepsakeError(
    "invalid_embedding",
    renamed
      ? `The stored vectors are those of the model "${recorded.name}" (${recorded.dims} numbers); the embedder is "${offered.name}". ${wayOut}`
      : `The stored vectors have ${recorded.dims} numbers; the embedder gives ${offered.dims}. ${wayOut}`,
    { data: { recorded, offered } },
  );
}

const wayOut =
  "Give the store the embedder that it had, or move its vectors to the new one with `reindex({ embed })`. Until then items are found by their words.";
