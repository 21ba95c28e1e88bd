import { type KeywordScore, keywordScorer, type QueryTerm, type Ranked } from "../../search/index.ts";
import { inScope, type Scope } from "./postgres-scope.ts";
import { idsIn, integer, type Transaction } from "./postgres-transaction.ts";

/** What is in scope, and what ranking must know of it. Items that have expired and are still there do not count. */
export interface Collection {
  readonly namespaces: readonly number[];
  readonly documents: number;
  readonly totalLength: number;
  readonly vectors: number;
  readonly hasExpired: boolean;
}

/** Counts what is in scope. */
export async function collect(
  { first, tables }: Transaction,
  scope: Scope,
  now: number,
): Promise<Collection> {
  const row = await first(
    `SELECT * FROM (
       SELECT string_agg(n.id::text, ',') AS ids, sum(n.documents) AS documents, sum(n.total_length) AS length, sum(n.vectors) AS vectors
       FROM ${tables.namespaces} n WHERE ${inScope(1)}
     ) s, (
       SELECT count(*) AS expired, count(d.item) AS expired_documents, sum(d.length) AS expired_length
       FROM ${tables.namespaces} n JOIN ${tables.items} i ON i.namespace = n.id
       LEFT JOIN ${tables.documents} d ON d.item = i.id WHERE ${inScope(1)} AND i.expires_at <= $5
     ) e`,
    ...scope,
    now,
  );
  return {
    namespaces: idsIn(row?.ids),
    documents: integer(row, "documents") - integer(row, "expired_documents"),
    totalLength: integer(row, "length") - integer(row, "expired_length"),
    vectors: integer(row, "vectors"),
    hasExpired: integer(row, "expired") > 0,
  };
}

/** The items that have a term of the query, best first. */
export interface KeywordRanking {
  readonly ranked: readonly Ranked<number>[];
  /** How well any item fits, those without a term included. */
  scoreOf(id: number): KeywordScore;
}

/** Ranks everything in scope that has a term of the query. */
export async function rankByKeywords(
  tx: Transaction,
  query: readonly QueryTerm[],
  scope: Scope,
  collection: Collection,
  now: number,
): Promise<KeywordRanking> {
  const documents =
    query.length === 0 ? [] : await findDocuments(tx, query, scope, collection.hasExpired, now);
  const scorer = keywordScorer(query, {
    documents: collection.documents,
    totalLength: collection.totalLength,
    documentFrequencies: query.map(
      (_, index) => documents.filter(({ frequencies }) => (frequencies[index] ?? 0) > 0).length,
    ),
  });
  const scores = new Map(
    documents.map(({ id, frequencies, length }) => [id, scorer.score(frequencies, length)] as const),
  );
  return {
    ranked: Array.from(scores, ([id, { score }]) => ({ id, score })).sort(
      (left, right) => right.score - left.score,
    ),
    scoreOf: (id) => scores.get(id) ?? { score: 0, share: 0 },
  };
}

interface Document {
  readonly id: number;
  readonly length: number;
  /** Of the query's terms, in their order. */
  readonly frequencies: readonly number[];
}

/** Each namespace in scope is looked up with its own tokens. All documents come back as one text: see `idsIn`. */
async function findDocuments(
  { first, tables }: Transaction,
  query: readonly QueryTerm[],
  scope: Scope,
  hasExpired: boolean,
  now: number,
): Promise<Document[]> {
  const row = await first(
    `SELECT string_agg(d.item || ' ' || d.length || ' ' || found.frequencies, ',') AS documents
     FROM (
       SELECT n.id, ARRAY(SELECT n.id || '|' || q.term FROM unnest($5::text[]) q(term)) AS tokens
       FROM ${tables.namespaces} n WHERE ${inScope(1)}
     ) s
     JOIN ${tables.documents} d ON d.namespace = s.id AND d.tokens && s.tokens
     CROSS JOIN LATERAL (
       SELECT string_agg(coalesce(d.frequencies[array_position(d.tokens, q.token)], 0)::text, ' ' ORDER BY q.place) AS frequencies
       FROM unnest(s.tokens) WITH ORDINALITY q(token, place)
     ) found
     ${hasExpired ? `WHERE NOT EXISTS (SELECT 1 FROM ${tables.items} i WHERE i.id = d.item AND i.expires_at <= $6)` : ""}`,
    ...scope,
    query.map(({ term }) => term),
    ...(hasExpired ? [now] : []),
  );
  return typeof row?.documents === "string" ? row.documents.split(",").map(documentIn) : [];
}

function documentIn(joined: string): Document {
  const [id = 0, length = 0, ...frequencies] = joined.split(" ").map(Number);
  return { id, length, frequencies };
}
