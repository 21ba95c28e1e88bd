import type { DocumentTerms } from "../search/index.ts";
import type { Embedding, StoredItem, Write } from "./backend.ts";
import type { Namespace } from "./types.ts";

/** A stored item, with what ranking knows of it. */
export interface Entry extends StoredItem {
  /** Of its creation among all; an overwritten item keeps it. */
  readonly position: number;
  readonly value: Record<string, unknown>;
  readonly terms: DocumentTerms | undefined;
  readonly embedding: Embedding | undefined;
  readonly index: Write["index"];
  readonly expiresAt: number | undefined;
}

/** The entries that have a term. */
export interface Posting {
  readonly entries: Set<Entry>;
  /** None of them has it more often; in units of search's `frequencyUnit`. */
  maxFrequency: number;
}

/** The items of one namespace, and for each term the entries that have it. */
export interface Bucket {
  readonly namespace: Namespace;
  readonly entries: Map<string, Entry>;
  readonly postings: Map<string, Posting>;
  documents: number;
  totalLength: number;
}

/** A namespace without items. */
export function newBucket(namespace: Namespace): Bucket {
  return { namespace: [...namespace], entries: new Map(), postings: new Map(), documents: 0, totalLength: 0 };
}

/** Puts an entry in. */
export function link(bucket: Bucket, entry: Entry): void {
  bucket.entries.set(entry.key, entry);
  if (entry.terms === undefined) return;
  bucket.documents += 1;
  bucket.totalLength += entry.terms.length;
  for (const [term, frequency] of entry.terms.frequencies) {
    const posting = bucket.postings.get(term);
    if (posting === undefined) {
      bucket.postings.set(term, { entries: new Set([entry]), maxFrequency: frequency });
    } else {
      posting.entries.add(entry);
      posting.maxFrequency = Math.max(posting.maxFrequency, frequency);
    }
  }
}

/** Takes an entry out. */
export function unlink(bucket: Bucket, entry: Entry): void {
  bucket.entries.delete(entry.key);
  if (entry.terms === undefined) return;
  bucket.documents -= 1;
  bucket.totalLength -= entry.terms.length;
  for (const term of entry.terms.frequencies.keys()) {
    const posting = bucket.postings.get(term);
    posting?.entries.delete(entry);
    if (posting?.entries.size === 0) bucket.postings.delete(term);
  }
}
