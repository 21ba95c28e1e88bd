import { KeepsakeError } from "../errors/index.ts";
import { queryTerms } from "../search/index.ts";
import { type Awaitable, isRecord } from "../util/index.ts";
import { after } from "./after.ts";
import type { BackendSession, FoundItem, Place, StoredItem } from "./backend.ts";
import { embeddedTexts, hashOfTexts, indexedTerms, itemFields } from "./index-fields.ts";
import {
  type ListingPlan,
  listingPlanOfOperation,
  literalPrefix,
  selectNamespaces,
} from "./list-namespaces.ts";
import { checkKey, checkNamespace } from "./namespace.ts";
import { operationKind } from "./operation.ts";
import { checkNames, readCount, readSignal, searchRequest } from "./search-options.ts";
import type { StoreIndex } from "./store-index.ts";
import type { Item, SearchItem } from "./types.ts";
import { valueFromJson, valueToJson } from "./value.ts";
import type { VectorOutcome, Wanted } from "./vectors.ts";

/** A checked operation, ready to run in a session. */
export interface Step<T> {
  readonly writes: boolean;
  /** The item that it writes. */
  readonly place?: Place;
  /** What it needs of the embedder before the session begins. */
  readonly wanted: Wanted | undefined;
  /** In a batch: where it is aborted before the step's turn, the step is left out. */
  readonly signal?: AbortSignal | undefined;
  /** `vectors` undefined: there is no embedder, or it failed. */
  run(session: BackendSession, vectors: readonly Float32Array[] | undefined): Awaitable<T>;
}

/** The arguments of a `put`, unchecked. */
export interface PutArguments {
  readonly namespace: unknown;
  readonly key: unknown;
  readonly value: unknown;
  readonly index?: unknown;
  readonly options?: unknown;
  readonly expectedVersion?: number | null | undefined;
}

/** The step of an operation of a batch. */
export function operationStep(given: unknown, index: StoreIndex): Step<unknown> {
  const { kind, operation } = operationKind(given);
  if (kind === "search") return searchOperationStep(operation, index);
  if (kind === "list") return listStep(listingPlanOfOperation(operation));
  const { namespace, key, value, options } = operation;
  if (kind === "get") return getStep({ namespace, key });
  return kind === "delete"
    ? deleteStep({ namespace, key })
    : withoutResult(putStep({ namespace, key, value, index: operation.index, options }, index));
}

function withoutResult(step: Step<unknown>): Step<void> {
  return { ...step, run: (session, vectors) => after(step.run(session, vectors), () => undefined) };
}

/** A search that is begun goes on to its end: a database cannot give up a statement and keep the rest of the transaction. */
function searchOperationStep(operation: Record<string, unknown>, index: StoreIndex): Step<unknown> {
  const { signal, ...options } = operation;
  return { ...searchStep(operation.namespacePrefix, options, index), signal: readSignal(signal) };
}

/** What became of the steps of a batch. */
export interface StepResults {
  /** In order; `undefined` for a step that is, or was left out. */
  readonly results: readonly unknown[];
  /** The steps that were left out, with the reasons of their signals. */
  readonly errors: readonly { readonly index: number; readonly error: unknown }[];
}

/** Runs the steps in order, but for those whose signal is aborted. */
export function runSteps(
  steps: readonly (Step<unknown> | undefined)[],
  outcomes: readonly (VectorOutcome | undefined)[],
  session: BackendSession,
): Awaitable<StepResults> {
  const results: unknown[] = [];
  const errors: { index: number; error: unknown }[] = [];
  const goOn = (): Awaitable<StepResults> => {
    while (results.length < steps.length) {
      const index = results.length;
      const step = steps[index];
      if (step?.signal?.aborted === true) {
        errors.push({ index, error: step.signal.reason });
        results.push(undefined);
        continue;
      }
      const result = step?.run(session, outcomes[index]?.vectors);
      if (result instanceof Promise) {
        return result.then((value) => {
          results.push(value);
          return goOn();
        });
      }
      results.push(result);
    }
    return { results, errors };
  };
  return goOn();
}

export function getStep(place: { namespace: unknown; key: unknown }): Step<Item | null> {
  const checked = checkPlace(place);
  return {
    writes: false,
    wanted: undefined,
    run: (session) => after(session.get(checked), (item) => (item === undefined ? null : itemOf(item))),
  };
}

/** Gives the item's new version, or null where the expected version was another. */
export function putStep(
  given: PutArguments,
  { fields: defaults, embedder }: StoreIndex,
): Step<number | null> {
  const place = checkPlace(given);
  const json = valueToJson(given.value);
  const { ttlMs, touch } = putOptions(given.options);
  const fields = itemFields(given.index, defaults);
  const value = valueFromJson(json);
  const terms = touch ? undefined : indexedTerms(value, fields);
  const texts = touch || embedder === undefined ? [] : embeddedTexts(value, fields);
  const hash = embedder === undefined ? "" : hashOfTexts(texts);
  const index = fields === false ? false : fields === defaults ? undefined : fields.map(({ path }) => path);
  return {
    writes: true,
    place,
    wanted: texts.length === 0 ? undefined : { kind: "item", place, texts, hash },
    run: (session, vectors) =>
      session.put({
        namespace: place.namespace,
        key: place.key,
        json,
        terms,
        embedding: vectors && { hash, vectors },
        index,
        touch,
        expiresAt: ttlMs === undefined ? undefined : session.now + ttlMs,
        expectedVersion: given.expectedVersion,
      }),
  };
}

export function deleteStep(place: { namespace: unknown; key: unknown }): Step<void> {
  const checked = checkPlace(place);
  return { writes: true, place: checked, wanted: undefined, run: (session) => session.delete(checked) };
}

/** A query without a single term, and without a vector, finds nothing. */
export function searchStep(
  prefix: unknown,
  options: unknown,
  { ranking, embedder }: StoreIndex,
): Step<SearchItem[]> {
  const { query, ...plan } = searchRequest(prefix, options);
  if (query?.mode === "vector" && embedder === undefined) throw withoutEmbedder();
  const terms = query === undefined || query.mode === "vector" ? [] : queryTerms(query.text);
  return {
    writes: false,
    wanted:
      query === undefined || query.mode === "keyword" || embedder === undefined || plan.limit === 0
        ? undefined
        : { kind: "query", ...query },
    run: (session, vectors) => {
      const vector = vectors?.[0];
      if (plan.limit === 0 || (query !== undefined && terms.length === 0 && vector === undefined)) return [];
      const planned = query && { terms, vector, ranking };
      return after(session.search({ ...plan, query: planned }), (found) => found.map(searchItemOf));
    },
  };
}

function withoutEmbedder(): KeepsakeError {
  return new KeepsakeError(
    "unsupported",
    'A search with `mode: "vector"` needs an embedder: pass one to the store as `index: { embed }`, or leave `mode` out.',
  );
}

export function listStep(plan: ListingPlan): Step<string[][]> {
  return {
    writes: false,
    wanted: undefined,
    run: (session) => after(session.namespaces(literalPrefix(plan)), (all) => selectNamespaces(all, plan)),
  };
}

function checkPlace({ namespace, key }: { namespace: unknown; key: unknown }): {
  namespace: string[];
  key: string;
} {
  return { namespace: checkNamespace(namespace), key: checkKey(key) };
}

function putOptions(options: unknown): { ttlMs: number | undefined; touch: boolean } {
  if (options === undefined || options === null) return { ttlMs: undefined, touch: false };
  if (!isRecord(options)) throw new KeepsakeError("invalid_input", "The options of a put are an object.");
  checkNames(options, ["ttlMs", "touch"]);
  const { ttlMs, touch = false } = options;
  if (typeof touch !== "boolean") throw new KeepsakeError("invalid_input", "`touch` is true or false.");
  return { ttlMs: ttlMs === undefined || ttlMs === null ? undefined : readCount("ttlMs", ttlMs, 1), touch };
}

function itemOf(stored: StoredItem): Item {
  return {
    namespace: [...stored.namespace],
    key: stored.key,
    value: valueFromJson(stored.json),
    createdAt: new Date(stored.createdAt),
    updatedAt: new Date(stored.updatedAt),
    version: stored.version,
  };
}

function searchItemOf({ item, hit }: FoundItem): SearchItem {
  if (hit === undefined) return itemOf(item);
  const { score, keyword, vector } = hit;
  const signals = {
    ...(vector === undefined ? {} : { vector }),
    ...(keyword === undefined ? {} : { keyword }),
  };
  return { ...itemOf(item), score, signals };
}
