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

/** One search, page by page. */
interface Probe {
  readonly filter: Filter;
  readonly query: string | undefined;
  readonly offset: number;
  readonly limit: number;
  /** How many of its pages so far are wanted. */
  readonly found: number;
}

/**
 * The memories that may be recalled: the best of a search and, where the query names times, memories of those times, by the query and, for
 * what shares no word with it, by the date alone. Conditions that a filter cannot express are checked here, and each search goes on until
 * enough fulfil them.
 */
export async function findMemories(store: Store, wanted: Wanted): Promise<SearchItem[]> {
  const { query, options, limit, breadth, times } = wanted;
  const isWanted = conditionOf(options);
  const own = filterOf(options);
  const dated = times.slice(0, searchedTimes).flatMap(datedIn);
  let probes: readonly Probe[] = [
    ...dated.flatMap((filter) =>
      [undefined, query].map((asked) => ({ query: asked, filter: { ...own, ...filter } })),
    ),
    { query, filter: own },
  ].map((probe) => ({ ...probe, offset: 0, limit: breadth, found: 0 }));
  // A hit of the query says how like it the memory is, a hit of a date alone does not.
  const found = new Map<string, SearchItem>();
  while (probes.length > 0) {
    const pages = await searchAll(store, wanted, probes);
    probes = probes.flatMap((probe, index) => {
      const page = pages[index] ?? [];
      const fitting = page.filter(isWanted);
      for (const item of fitting) {
        const place = placeOf(item);
        if (item.signals !== undefined || !found.has(place)) found.set(place, item);
      }
      const next = { ...probe, ...nextPage(probe), found: probe.found + fitting.length };
      return next.found >= limit || page.length < probe.limit ? [] : [next];
    });
  }
  return [...found.values()];
}

/** Each page is a search of its own: few large ones cost less than many. */
function nextPage({ offset, limit }: Probe): Pick<Probe, "offset" | "limit"> {
  return { offset: offset + limit, limit: 4 * limit };
}

/** Several searches in one batch, for which the query is embedded once. */
async function searchAll(
  store: Store,
  { namespace, options: { signal } }: Wanted,
  probes: readonly Probe[],
): Promise<readonly SearchItem[][]> {
  signal?.throwIfAborted();
  const asked = probes.map(({ filter, query, offset, limit }) => ({
    filter,
    offset,
    limit,
    ...(query === undefined ? {} : { query }),
  }));
  const [only, second] = asked;
  if (only !== undefined && second === undefined)
    return [await store.search(namespace, { ...only, ...(signal === undefined ? {} : { signal }) })];
  return store.batch(asked.map((search) => ({ namespacePrefix: [...namespace], ...search })));
}

/**
 * Filters for what is dated within a time. Dates are texts that sort by time; one that is cut short sorts before every day of its month or
 * year.
 */
function datedIn({ from, to }: Span): Filter[] {
  const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
  return [
    { eventDate: { $gte: start.slice(0, 10), $lt: end } },
    { eventDate: { $in: [start.slice(0, 4), start.slice(0, 7)] } },
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
