import { compileFilter } from "../../search/index.ts";
import type { Filter, Namespace, SearchItem, Store } from "../../store/index.ts";
import type { Span } from "./calendar.ts";
import { placeOf } from "./score.ts";
import type { RecallOptions } from "./types.ts";

/** What to look for in a store. */
export interface Wanted {
  readonly query: string;
  readonly namespace: Namespace;
  readonly options: RecallOptions;
  /** How many are to be recalled. */
  readonly limit: number;
  /** How many are to be looked at. */
  readonly breadth: number;
  /** The times that the query names. */
  readonly times: readonly Span[];
}

/** Times that a query may name and that are searched for by filter; further ones still count for the score. */
const searchedTimes = 4;

/**
 * The memories that may be recalled: the best of a search and, where the query names times, memories of those times, whatever their words.
 * Conditions that a filter cannot express are checked here, and the search goes on until enough fulfil them.
 */
export async function findMemories(store: Store, wanted: Wanted): Promise<SearchItem[]> {
  const isWanted = conditionOf(wanted.options);
  const [ranked, dated] = await Promise.all([
    searchRanked(store, wanted, isWanted),
    searchDated(store, wanted, isWanted),
  ]);
  const found = new Map(dated.map((item) => [placeOf(item), item]));
  for (const item of ranked) found.set(placeOf(item), item);
  return [...found.values()];
}

async function searchRanked(
  store: Store,
  { query, namespace, options, limit, breadth }: Wanted,
  isWanted: (item: SearchItem) => boolean,
): Promise<SearchItem[]> {
  const found: SearchItem[] = [];
  let offset = 0;
  let size = breadth;
  for (;;) {
    const page = await store.search(namespace, {
      query,
      filter: filterOf(options),
      limit: size,
      offset,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    found.push(...page.filter(isWanted));
    if (found.length >= limit || page.length < size) return found;
    offset += size;
    // Each page is a search of its own: few large ones cost less than many.
    size *= 4;
  }
}

/** By the query and, for what shares no word with it, by the date alone. */
async function searchDated(
  store: Store,
  { query, namespace, options, breadth, times }: Wanted,
  isWanted: (item: SearchItem) => boolean,
): Promise<SearchItem[]> {
  if (times.length === 0) return [];
  const filters = times.slice(0, searchedTimes).flatMap(datedIn);
  const pages: SearchItem[][] = await store.batch(
    filters.flatMap((dated) =>
      [{}, { query }].map((asked) => ({
        namespacePrefix: [...namespace],
        filter: { ...filterOf(options), ...dated },
        limit: breadth,
        ...asked,
      })),
    ),
  );
  return pages.flat().filter(isWanted);
}

/**
 * Filters for what is dated within a time. Dates are texts that sort by time; one that is cut short sorts before every day of its month or
 * year.
 */
function datedIn({ from, to }: Span): Filter[] {
  const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
  const years = Number(end.slice(0, 4)) - Number(start.slice(0, 4));
  const cut = years > 1 ? [] : [start.slice(0, 4), start.slice(0, 7)];
  return [
    { eventDate: { $gte: start.slice(0, 10), $lt: end } },
    ...(cut.length === 0 ? [] : [{ eventDate: { $in: cut } }]),
    { at: { $gte: start, $lt: end } },
  ];
}

function filterOf({ filter, source }: RecallOptions): Filter {
  return { ...filter, ...(source === undefined ? {} : { source }) };
}

function conditionOf({
  filter,
  categories,
  source,
  includePrivate,
}: RecallOptions): (item: SearchItem) => boolean {
  const matches = compileFilter(filter);
  return ({ value }) => {
    if (!matches(value)) return false;
    if (source !== undefined && value.source !== source) return false;
    if (value.private === true && includePrivate !== true && source === undefined) return false;
    if (categories === undefined || categories.length === 0) return true;
    const { categories: own } = value;
    return Array.isArray(own) && categories.some((category) => own.includes(category));
  };
}
