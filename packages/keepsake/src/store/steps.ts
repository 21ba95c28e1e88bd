import { KeepsakeError } from "../errors/index.ts";
import { type Awaitable, isRecord } from "../util/index.ts";
import { after } from "./after.ts";
import type { BackendSession, FoundItem, StoredItem } from "./backend.ts";
import { type IndexField, indexedTerms, itemFields } from "./index-fields.ts";
import {
  type ListingPlan,
  listingPlanOfOperation,
  literalPrefix,
  selectNamespaces,
} from "./list-namespaces.ts";
import { checkKey, checkNamespace } from "./namespace.ts";
import { operationKind } from "./operation.ts";
import { checkNames, readCount, searchPlan } from "./search-options.ts";
import type { Item, SearchItem } from "./types.ts";
import { valueFromJson, valueToJson } from "./value.ts";

/** A checked operation, ready to run in a session. */
export interface Step<T> {
  readonly writes: boolean;
  run(session: BackendSession): Awaitable<T>;
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
export function operationStep(given: unknown, fields: readonly IndexField[]): Step<unknown> {
  const { kind, operation } = operationKind(given);
  if (kind === "search") return searchStep(operation.namespacePrefix, operation);
  if (kind === "list") return listStep(listingPlanOfOperation(operation));
  const { namespace, key, value, index, options } = operation;
  if (kind === "get") return getStep({ namespace, key });
  return kind === "delete"
    ? deleteStep({ namespace, key })
    : withoutResult(putStep({ namespace, key, value, index, options }, fields));
}

function withoutResult({ writes, run }: Step<unknown>): Step<void> {
  return { writes, run: (session) => after(run(session), () => undefined) };
}

/** The results of all steps, in order; `undefined` for a step that is. */
export function runSteps(
  steps: readonly (Step<unknown> | undefined)[],
  session: BackendSession,
): Awaitable<unknown[]> {
  const results: unknown[] = [];
  const goOn = (): Awaitable<unknown[]> => {
    while (results.length < steps.length) {
      const result = steps[results.length]?.run(session);
      if (result instanceof Promise) {
        return result.then((value) => {
          results.push(value);
          return goOn();
        });
      }
      results.push(result);
    }
    return results;
  };
  return goOn();
}

export function getStep(place: { namespace: unknown; key: unknown }): Step<Item | null> {
  const checked = checkPlace(place);
  return {
    writes: false,
    run: (session) => after(session.get(checked), (item) => (item === undefined ? null : itemOf(item))),
  };
}

/** Gives the item's new version, or null where the expected version was another. */
export function putStep(given: PutArguments, defaults: readonly IndexField[]): Step<number | null> {
  const place = checkPlace(given);
  const json = valueToJson(given.value);
  const { ttlMs, touch } = putOptions(given.options);
  const fields = itemFields(given.index, defaults);
  const terms = touch ? undefined : indexedTerms(valueFromJson(json), fields);
  const index = fields === false ? false : fields === defaults ? undefined : fields.map(({ path }) => path);
  return {
    writes: true,
    run: (session) =>
      session.put({
        ...place,
        json,
        terms,
        index,
        touch,
        expiresAt: ttlMs === undefined ? undefined : session.now + ttlMs,
        expectedVersion: given.expectedVersion,
      }),
  };
}

export function deleteStep(place: { namespace: unknown; key: unknown }): Step<void> {
  const checked = checkPlace(place);
  return { writes: true, run: (session) => session.delete(checked) };
}

export function searchStep(prefix: unknown, options: unknown): Step<SearchItem[]> {
  const plan = searchPlan(prefix, options);
  return {
    writes: false,
    run: (session) => {
      if (plan.limit === 0 || plan.query?.length === 0) return [];
      return after(session.search(plan), (found) => found.map(searchItemOf));
    },
  };
}

export function listStep(plan: ListingPlan): Step<string[][]> {
  return {
    writes: false,
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

function searchItemOf({ item, keyword }: FoundItem): SearchItem {
  if (keyword === undefined) return itemOf(item);
  return { ...itemOf(item), score: keyword.score, signals: { keyword: keyword.share } };
}
