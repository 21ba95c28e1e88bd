import { frequencyUnit, type QueryTerm } from "./document.ts";

/** Saturation: how soon further occurrences of a term stop counting. */
const k1 = 1.2;
/** How much long documents are held back: 0 not at all, 1 in full proportion. */
const b = 0.4;

/** What BM25 must know of the documents searched: of these namespaces only, so that no other document changes a score. */
export interface CollectionStatistics {
  readonly documents: number;
  /** The sum of their lengths, in frequency units. */
  readonly totalLength: number;
  /** For each query term, in the query's order, how many of the documents have it. */
  readonly documentFrequencies: readonly number[];
}

/** How well a document fits the query. */
export interface KeywordScore {
  /** BM25: comparable within one result list. */
  readonly score: number;
  /** 0 to 1: the share of what the query itself would score as a document. Comparable between queries. */
  readonly share: number;
}

/** Scores documents against one query. */
export interface KeywordScorer {
  /** The most that a query term can add to the score of a document, of any length, that has it at most this often (in frequency units). */
  bound(index: number, maxFrequency: number): number;
  /** `frequencies`: for each query term, in the query's order, how often the document has it, in frequency units. */
  score(frequencies: ArrayLike<number>, length: number): KeywordScore;
}

/**
 * Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over weighted frequencies (BM25F with one length
 * for the whole document), k1 = 1.2, b = 0.4.
 */
export function keywordScorer(query: readonly QueryTerm[], statistics: CollectionStatistics): KeywordScorer {
  const { documents, totalLength } = statistics;
  const averageLength = documents > 0 && totalLength > 0 ? totalLength / documents : 1;
  const gains = query.map(({ weight }, index) => {
    const frequency = statistics.documentFrequencies[index] ?? 0;
    return weight * Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5)) * (k1 + 1);
  });
  const total = (frequencies: ArrayLike<number>, length: number): number => {
    const resistance = k1 * (1 - b + (b * length) / averageLength);
    let sum = 0;
    for (let index = 0; index < gains.length; index += 1) {
      const frequency = (frequencies[index] ?? 0) / frequencyUnit;
      if (frequency > 0) sum += ((gains[index] ?? 0) * frequency) / (frequency + resistance);
    }
    return sum;
  };
  const own = query.map(({ weight }) => weight * frequencyUnit);
  const best = total(
    own,
    own.reduce((sum, frequency) => sum + frequency, 0),
  );
  return {
    bound: (index, maxFrequency) => {
      const gain = gains[index] ?? 0;
      const frequency = maxFrequency / frequencyUnit;
      return Number.isFinite(frequency) ? (gain * frequency) / (frequency + k1 * (1 - b)) : gain;
    },
    score: (frequencies, length) => {
      const score = total(frequencies, length);
      return { score, share: best > 0 ? Math.min(1, score / best) : 0 };
    },
  };
}
