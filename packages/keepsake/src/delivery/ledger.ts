import { deleteOldest } from "../util/index.ts";

/** Which identities were claimed, per page: bounded, so that old ones are forgotten. A page is what one hook was given of one scope. */
export interface Ledger {
  has(page: string, identity: string): boolean;
  /** Marks the page as used, too: others are forgotten first. */
  claim(page: string, identities: Iterable<string | undefined>): void;
  /** Gives claims back, so that the messages count as new again. */
  release(page: string, identities: readonly (string | undefined)[]): void;
  /** How many identities are remembered in all. */
  size(): number;
}

/** Identities remembered in all, as a multiple of the window. */
const totalWindows = 20;

const maxPages = 10_000;

/**
 * Remembers `window` identities per page, oldest forgotten first; and in all at most 20 × `window` on 10 000 pages, least recently used
 * page forgotten first.
 */
export function createLedger(window: number): Ledger {
  const pages = new Map<string, Set<string>>();
  let total = 0;

  return {
    has: (page, identity) => pages.get(page)?.has(identity) ?? false,
    claim(page, identities) {
      const claimed = pages.get(page) ?? new Set();
      pages.delete(page);
      total -= claimed.size;
      for (const identity of identities) if (identity !== undefined) claimed.add(identity);
      deleteOldest(claimed, window);
      if (claimed.size === 0) return;
      pages.set(page, claimed);
      total += claimed.size;
      for (const [oldest, { size }] of pages) {
        if (oldest === page || (total <= totalWindows * window && pages.size <= maxPages)) return;
        pages.delete(oldest);
        total -= size;
      }
    },
    release(page, identities) {
      for (const identity of identities) {
        if (identity !== undefined && pages.get(page)?.delete(identity)) total -= 1;
      }
    },
    size: () => total,
  };
}
