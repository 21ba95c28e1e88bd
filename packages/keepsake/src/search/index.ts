export { analyze, analyzerVersion } from "./analyze.ts";
export { type CollectionStatistics, type KeywordScore, type KeywordScorer, keywordScorer } from "./bm25.ts";
export { cosine, nearestCosine, unitVector } from "./cosine.ts";
export {
  type DocumentTerms,
  documentTerms,
  type QueryTerm,
  queryTerms,
  type WeightedText,
} from "./document.ts";
export { compileFilter, type FilterPredicate } from "./filter.ts";
export { type Hit, mergeRankings, type Ranked, type Ranking } from "./merge-rankings.ts";
export { textAt } from "./path.ts";
export { isStopTerm } from "./stop-words.ts";
