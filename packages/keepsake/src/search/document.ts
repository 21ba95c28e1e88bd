import { analyze, analyzeQuery } from "./analyze.ts";
import { isStopTerm } from "./stop-words.ts";

/** Frequencies and lengths are whole numbers of this many to one occurrence, so that sums are exact in any order. */
export const frequencyUnit = 100;

/** A text of a document, and how much an occurrence in it counts against one at weight 1. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

/** What ranking knows of a document. Numbers are in units of 1/{@link frequencyUnit} occurrence. */
export interface DocumentTerms {
  /** How often each term occurs, weighted. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** All occurrences, weighted. */
  readonly length: number;
}

/** A term that is searched for; more weight, more say. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
}

/** The terms of a document of weighted texts. */
export function documentTerms(texts: readonly WeightedText[]): DocumentTerms {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of texts) {
    const units = Math.round(weight * frequencyUnit);
    if (units <= 0) continue;
    for (const term of analyze(text)) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + units);
      length += units;
    }
  }
  return { frequencies, length };
}

/** A query of more different terms, a pasted page for instance, is cut: each term is a look-up in every namespace searched. */
const maxQueryTerms = 256;

/**
 * The terms of a query, each once, weighted by how often it occurs; without stop words, unless it has nothing else. Of more than 256 terms
 * those that occur most often, and of these the first.
 */
export function queryTerms(query: string): QueryTerm[] {
  const all = analyzeQuery(query);
  const telling = all.filter((term) => !isStopTerm(term));
  const weights = new Map<string, number>();
  for (const term of telling.length > 0 ? telling : all) weights.set(term, (weights.get(term) ?? 0) + 1);
  const terms = Array.from(weights, ([term, weight]) => ({ term, weight }));
  return terms.length <= maxQueryTerms
    ? terms
    : terms.sort((left, right) => right.weight - left.weight).slice(0, maxQueryTerms);
}
