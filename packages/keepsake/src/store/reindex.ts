import { KeepsakeError } from "../errors/index.ts";
import { after, inOrder } from "./after.ts";
import type { BackendSession, Embedding, IndexedItem, IndexedPage, VectorModel } from "./backend.ts";
import type { TextEmbedder } from "./embed-texts.ts";
import {
  embeddedTexts,
  fieldsAsText,
  hashOfTexts,
  type IndexField,
  itemFields,
  termsWith,
} from "./index-fields.ts";
import type { RunSession } from "./runtime.ts";
import { valueFromJson } from "./value.ts";
import { conflict, sameModel } from "./vectors.ts";

/** Items whose index is made again in one transaction. */
const pageSize = 300;
/** After so many pages in a row of which no text could be embedded, the embedder is taken to be out of order. */
const maxBadPages = 3;

/** What making an index again needs. */
export interface Reindexing {
  readonly run: RunSession;
  readonly fields: readonly IndexField[];
  readonly embedder: TextEmbedder | undefined;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes the index of every item again, a page at a time; texts whose vectors are there are not embedded again. Returns the number of items.
 *
 * @throws {KeepsakeError} `embedding_failed` or `invalid_embedding`: some texts have no vectors; what is done stays done
 */
export async function reindexItems(reindexing: Reindexing): Promise<number> {
  const { run, embedder, fields, onProgress, signal } = reindexing;
  const total = await run("read", (session) => session.size(), signal);
  let done = 0;
  let failed = 0;
  let badPages = 0;
  let reason: KeepsakeError | undefined;
  let next: number | undefined;
  do {
    const page: IndexedPage = await run("read", (session) => session.page(next, pageSize), signal);
    const items = page.items.map((item) => readItem(item, fields));
    const texts = items.flatMap((item) => (item.kept ? [] : item.texts));
    const embedded = await embedder?.embed(texts, "document", signal);
    const outcome = await run(
      "write",
      (session) => writePage(session, items, embedder?.name, embedded),
      signal,
    );
    next = page.next;
    done += items.length;
    failed += outcome.failed;
    reason ??= outcome.reason;
    badPages = outcome.failed === 0 ? 0 : outcome.written === 0 ? badPages + 1 : 0;
    if (badPages === maxBadPages && reason !== undefined) throw unfinished(reason, failed, done);
    if (items.length > 0) onProgress?.(done, Math.max(done, total));
  } while (next !== undefined);
  if (reason !== undefined) throw unfinished(reason, failed, done);
  await run("write", (session) => recordFields(session, fields), signal);
  return done;
}

interface ItemToWrite {
  readonly item: IndexedItem;
  readonly terms: ReturnType<ReturnType<typeof termsWith>>;
  readonly texts: readonly string[];
  readonly hash: string;
  /** Its vectors are those of its texts. */
  readonly kept: boolean;
}

function readItem(item: IndexedItem, defaults: readonly IndexField[]): ItemToWrite {
  const texts = embeddedTexts(valueFromJson(item.json), itemFields(item.index, defaults));
  const hash = hashOfTexts(texts);
  return {
    item,
    terms: termsWith(defaults)(item.json, item.index),
    texts,
    hash,
    kept: texts.length > 0 && hash === item.embeddingHash,
  };
}

interface PageOutcome {
  written: number;
  failed: number;
  reason: KeepsakeError | undefined;
}

function writePage(
  session: BackendSession,
  items: readonly ItemToWrite[],
  name: string | undefined,
  embedded: ReadonlyMap<string, Float32Array | KeepsakeError> | undefined,
): PageOutcome | Promise<PageOutcome> {
  const outcome: PageOutcome = { written: 0, failed: 0, reason: undefined };
  const embeddingOf = ({ texts, hash, kept }: ItemToWrite): Embedding | "keep" | undefined => {
    if (kept) return "keep";
    if (embedded === undefined || texts.length === 0) return undefined;
    const found = texts.map((text) => embedded.get(text));
    const vectors = found.filter((vector) => vector instanceof Float32Array);
    if (vectors.length === texts.length) {
      outcome.written += 1;
      return { hash, vectors };
    }
    outcome.failed += 1;
    outcome.reason ??= found.find((vector) => KeepsakeError.isInstance(vector));
    return undefined;
  };
  const first = [...(embedded?.values() ?? [])].find((vector) => vector instanceof Float32Array);
  return after(adopt(session, first && { name, dims: first.length }), () =>
    after(
      inOrder(items, (item) => session.reindex(item.item, item.terms, embeddingOf(item))),
      () => outcome,
    ),
  );
}

/** Records the model of the first vectors; later ones must be of the same. */
function adopt(session: BackendSession, model: VectorModel | undefined): void | Promise<void> {
  if (model === undefined) return undefined;
  return after(session.indexRecord(), (record) => {
    const error = conflict(record.model, model);
    if (error !== undefined) throw error;
    return record.model === undefined ? session.recordIndex({ ...record, model }) : undefined;
  });
}

function recordFields(session: BackendSession, fields: readonly IndexField[]): void | Promise<void> {
  return after(session.indexRecord(), (record) =>
    session.recordIndex({ ...record, fields: fieldsAsText(fields) }),
  );
}

/**
 * Makes `embedder` the one that the store's vectors are made by. Those of another model are removed; where the recorded model has the same
 * name and dims they stay, so that a move that was interrupted goes on.
 *
 * @throws {KeepsakeError} `embedding_failed`, `invalid_embedding`: nothing has changed
 */
export async function moveToModel(
  embedder: TextEmbedder,
  run: RunSession,
  signal: AbortSignal | undefined,
): Promise<void> {
  const probe = "keepsake";
  const vector = (await embedder.embed([probe], "document", signal)).get(probe);
  if (!(vector instanceof Float32Array)) throw vector ?? new Error("The embedder gave nothing.");
  const model = { name: embedder.name, dims: vector.length };
  await run(
    "write",
    (session) =>
      after(session.indexRecord(), (record) => {
        if (model.name !== undefined && sameModel(record.model, model)) return undefined;
        return after(session.recordIndex({ ...record, model: undefined }), () =>
          session.recordIndex({ ...record, model }),
        );
      }),
    signal,
  );
}

function unfinished(reason: KeepsakeError, failed: number, done: number): KeepsakeError {
  return new KeepsakeError(
    reason.code,
    `${failed} of ${done} items have no vectors and are found by their words alone; the others are done. Run \`reindex()\` again. The first reason: ${reason.message}`,
    { cause: reason, data: { failed, done } },
  );
}
