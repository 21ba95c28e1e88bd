import type { KeywordScorer, QueryTerm } from "../../search/index.ts";
import { idsIn } from "./sqlite-ids.ts";
import { all, integer, type Program } from "./sqlite-program.ts";
import { inScope, type Scope } from "./sqlite-scope.ts";
import { frequencyClasses, matchAnywhere, matchToken } from "./sqlite-tokens.ts";

/** Up to this many terms in namespaces are looked up one by one; beyond, each term in all namespaces, and what is elsewhere is left out. */
const maxLookups = 400;

/** Items that have a query term, in one class of frequency. */
interface Posting {
  /** Which query term. */
  readonly term: number;
  readonly maxFrequency: number;
  readonly ids: Float64Array;
}

/** What is known of the items that have a query term, before any of them is read. */
export interface Candidates {
  readonly documents: number;
  readonly totalLength: number;
  /** For each query term, the number of items that have it. */
  readonly documentFrequencies: readonly number[];
  readonly postings: readonly Posting[];
}

/** Looks a query's terms up in the full-text table. */
export function* findCandidates(query: readonly QueryTerm[], scope: Scope): Program<Candidates> {
  const [totals] = yield* all(
    `SELECT count(*) AS namespaces, total(n.documents) AS documents, total(n.total_length) AS length,
       (SELECT count(*) FROM keepsake_namespaces) AS all_namespaces
     FROM keepsake_namespaces n WHERE ${inScope}`,
    ...scope,
  );
  const namespaces = integer(totals, "namespaces");
  const few = namespaces === 1 || namespaces * query.length <= maxLookups;
  const everything = namespaces === integer(totals, "all_namespaces");
  const postings = few
    ? yield* lookUpEach(query, scope)
    : yield* lookUpEverywhere(query, everything ? undefined : scope);
  const documentFrequencies = query.map(() => 0);
  for (const { term, ids } of postings)
    documentFrequencies[term] = (documentFrequencies[term] ?? 0) + ids.length;
  return {
    documents: integer(totals, "documents"),
    totalLength: integer(totals, "length"),
    documentFrequencies,
    postings,
  };
}

function* lookUpEach(query: readonly QueryTerm[], scope: Scope): Program<Posting[]> {
  const rows = yield* all(`SELECT n.id FROM keepsake_namespaces n WHERE ${inScope}`, ...scope);
  const namespaces = rows.map((row) => integer(row, "id"));
  return yield* lookUp(
    query.flatMap(({ term }, index) =>
      frequencyClasses.flatMap(({ id, limit }) =>
        namespaces.map((namespace) => ({
          term: index,
          maxFrequency: limit,
          match: matchToken(term, id, namespace),
        })),
      ),
    ),
  );
}

/** `scope` undefined: all items are inside. */
function* lookUpEverywhere(query: readonly QueryTerm[], scope: Scope | undefined): Program<Posting[]> {
  const postings = yield* lookUp(
    query.flatMap(({ term }, index) =>
      frequencyClasses.map(({ id, limit }) => ({
        term: index,
        maxFrequency: limit,
        match: matchAnywhere(term, id),
      })),
    ),
  );
  if (scope === undefined) return postings;
  const [row] = yield* all(
    `SELECT group_concat(i.id) AS ids, max(i.id) AS last
     FROM keepsake_namespaces n CROSS JOIN keepsake_items i ON i.namespace = n.id WHERE ${inScope}`,
    ...scope,
  );
  const inside = new Uint8Array(integer(row, "last") + 1);
  for (const id of idsIn(row?.ids)) inside[id] = 1;
  return postings.map((posting) => ({ ...posting, ids: posting.ids.filter((id) => inside[id] === 1) }));
}

interface Wanted {
  readonly term: number;
  readonly maxFrequency: number;
  readonly match: string;
}

function* lookUp(wanted: readonly Wanted[]): Program<Posting[]> {
  const rows = yield* all(
    `SELECT (SELECT group_concat(f.rowid) FROM keepsake_terms f WHERE f.keepsake_terms MATCH token.value) AS ids
     FROM json_each(?) token ORDER BY token.key`,
    JSON.stringify(wanted.map(({ match }) => match)),
  );
  return wanted
    .map(({ term, maxFrequency }, index) => ({ term, maxFrequency, ids: idsIn(rows[index]?.ids) }))
    .filter(({ ids }) => ids.length > 0);
}

/** Candidates of which none can score more than `bound`. */
export interface BoundedIds {
  readonly bound: number;
  readonly ids: readonly number[];
}

/** All candidates in portions, those that can score most first. The first portions are small: they may be all that is needed. */
export function* byBound(
  { postings }: Candidates,
  scorer: KeywordScorer,
  firstSize: number,
): Generator<BoundedIds> {
  let size = firstSize;
  let portion: number[] = [];
  let most = 0;
  for (const [bound, ids] of groupByBound(postings, scorer)) {
    for (let start = 0; start < ids.length; ) {
      if (portion.length === 0) most = bound;
      const end = Math.min(ids.length, start + size - portion.length);
      for (let index = start; index < end; index += 1) portion.push(ids[index] ?? 0);
      start = end;
      if (portion.length < size) continue;
      yield { bound: most, ids: portion };
      portion = [];
      size = Math.min(2 * size, maxPortion);
    }
  }
  if (portion.length > 0) yield { bound: most, ids: portion };
}

const maxPortion = 1000;

function groupByBound(postings: readonly Posting[], scorer: KeywordScorer): [bound: number, ids: number[]][] {
  const groups = new Map<number, number[]>();
  for (const [page, bounds] of sumBounds(postings, scorer)) {
    for (let index = 0; index < pageSize; index += 1) {
      const bound = bounds[index];
      if (bound === undefined || bound === 0) continue;
      const group = groups.get(bound);
      if (group === undefined) groups.set(bound, [page * pageSize + index]);
      else group.push(page * pageSize + index);
    }
  }
  return [...groups].sort(([left], [right]) => right - left);
}

const pageSize = 4096;

/** For each item its bound, in pages of consecutive ids: a map of single ids takes five times as long. */
function sumBounds(postings: readonly Posting[], scorer: KeywordScorer): Map<number, Float64Array> {
  const pages = new Map<number, Float64Array>();
  for (const { term, maxFrequency, ids } of postings) {
    const bound = scorer.bound(term, maxFrequency);
    let page = -1;
    let bounds: Float64Array = new Float64Array(0);
    for (const id of ids) {
      const index = id % pageSize;
      if ((id - index) / pageSize !== page) {
        page = (id - index) / pageSize;
        bounds = pages.get(page) ?? new Float64Array(pageSize);
        pages.set(page, bounds);
      }
      bounds[index] = (bounds[index] ?? 0) + bound;
    }
  }
  return pages;
}
