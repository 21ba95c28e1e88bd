/** Labels from the outside in, matched segment by segment. */
export type Namespace = readonly string[];

/** A stored value with its place and history. */
export interface Item {
  namespace: string[];
  key: string;
  value: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
  /** 1 for a new item, one more with each write. */
  version: number;
}

/** An {@link Item} that a search found. */
export interface SearchItem extends Item {
  /** Present whenever there was a query: comparable within one result list. */
  score?: number;
  /** Comparable between queries: cosine, and the share of the query's best possible keyword score. */
  signals?: { vector?: number; keyword?: number };
}
