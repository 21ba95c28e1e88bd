import { KeepsakeError } from "../errors/index.ts";
import { compileFilter, type FilterPredicate } from "../search/index.ts";
import { didYouMean, isPlainObject, isRecord } from "../util/index.ts";
import type { SearchPlan } from "./backend.ts";
import { checkPrefix } from "./namespace.ts";

const names = ["query", "filter", "limit", "offset", "mode", "signal"];

/** A checked search, before its query is embedded. */
export interface SearchRequest extends Omit<SearchPlan, "query"> {
  readonly query: QueryRequest | undefined;
}

/** What is asked for, and how it is to be ranked. */
export interface QueryRequest {
  readonly text: string;
  readonly mode: "hybrid" | "keyword" | "vector";
}

/**
 * A checked search. A query that is empty or only white space is no query.
 *
 * @throws {KeepsakeError} `invalid_input`, `invalid_namespace`, `invalid_filter`
 */
export function searchRequest(prefix: unknown, options: unknown): SearchRequest {
  const given = options ?? {};
  if (!isRecord(given)) throw new KeepsakeError("invalid_input", "The options of a search are an object.");
  return {
    prefix: checkPrefix(prefix),
    query: readQuery(given.query, readMode(given.mode)),
    matches: readFilter(given.filter),
    limit: readCount("limit", given.limit ?? 10, 0),
    offset: readCount("offset", given.offset ?? 0, 0),
    signal: readSignal(given.signal),
  };
}

/**
 * Refuses misspelt options: a filter that is ignored shows what it should have hidden.
 *
 * @throws {KeepsakeError} `invalid_input`
 */
export function checkNames(options: unknown, known: readonly string[] = names): void {
  if (options !== undefined && options !== null && !isPlainObject(options)) {
    throw new KeepsakeError("invalid_input", `The options are a plain object with ${known.join(", ")}.`);
  }
  for (const name of Object.keys(options ?? {})) {
    if (known.includes(name)) continue;
    const meant = didYouMean(name, known);
    throw new KeepsakeError(
      "invalid_input",
      `There is no option "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`} Known are ${known.join(", ")}.`,
      { data: { name } },
    );
  }
}

/**
 * The filter of a deletion. One that came out as `undefined` or `null` is refused: it would remove what it should have spared.
 *
 * @throws {KeepsakeError} `invalid_filter`, `invalid_input`
 */
export function readDeletionFilter(options: unknown): FilterPredicate | undefined {
  if (!isPlainObject(options)) {
    throw new KeepsakeError(
      "invalid_input",
      "The options of a deletion are a plain object such as { filter: … }.",
    );
  }
  checkNames(options, ["filter"]);
  const { filter } = options;
  if (Object.hasOwn(options, "filter") && (filter === undefined || filter === null)) {
    throw new KeepsakeError(
      "invalid_filter",
      `The \`filter\` of a deletion is ${String(filter)}. Nothing was removed; leave \`filter\` out to remove everything under the prefix.`,
      { data: { value: filter } },
    );
  }
  return readFilter(filter);
}

/** A predicate, or `undefined` where everything passes. */
export function readFilter(filter: unknown): FilterPredicate | undefined {
  if (filter === undefined || filter === null) return undefined;
  const predicate = compileFilter(filter);
  return Object.keys(filter).length === 0 ? undefined : predicate;
}

/**
 * A whole number of at least `least`.
 *
 * @throws {KeepsakeError} `invalid_input`
 */
export function readCount(name: string, value: unknown, least: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw new KeepsakeError(
    "invalid_input",
    `\`${name}\` is ${show(value)}; it must be a whole number of at least ${least}${name === "expectedVersion" ? ", or null where there must be no item" : ""}.`,
    {
      data: { name, value },
    },
  );
}

function show(value: unknown): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 80))}`;
  if (typeof value === "bigint") return `the bigint ${value}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function readQuery(query: unknown, mode: QueryRequest["mode"]): QueryRequest | undefined {
  if (query === undefined || query === null) return undefined;
  if (typeof query !== "string") {
    throw new KeepsakeError("invalid_input", `\`query\` is a string, not of type ${typeof query}.`, {
      data: { query },
    });
  }
  return query.trim() === "" ? undefined : { text: query, mode };
}

function readMode(mode: unknown): QueryRequest["mode"] {
  if (mode === undefined || mode === null) return "hybrid";
  if (mode === "hybrid" || mode === "keyword" || mode === "vector") return mode;
  throw new KeepsakeError(
    "invalid_input",
    `\`mode\` is ${String(mode)}; it is one of "hybrid", "keyword" and "vector".`,
    { data: { mode } },
  );
}

/** @throws {KeepsakeError} `invalid_input` */
export function readSignal(signal: unknown): AbortSignal | undefined {
  if (signal === undefined || signal === null) return undefined;
  if (isSignal(signal)) return signal;
  throw new KeepsakeError("invalid_input", "`signal` is not an AbortSignal.");
}

/** By its shape: test environments have an AbortSignal class of their own. */
function isSignal(value: unknown): value is AbortSignal {
  return isRecord(value) && typeof value.aborted === "boolean" && typeof value.throwIfAborted === "function";
}
