import {
  encodeNamespace,
  hidesReserved,
  type Namespace,
  namespaceRange,
  reservedRoot,
} from "../../store/index.ts";

/** Encoded namespaces from `from` (inclusive) to `to` (exclusive), in byte order. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** All that there is. */
export const everything: Range = namespaceRange([]);

/** One namespace, without those inside it: their names go on with a quote, which comes after "!". */
export function exactly(namespace: Namespace): Range {
  const from = encodeNamespace(namespace);
  return { from, to: `${from}!` };
}

/** The namespaces under a prefix, without those that are hidden from it. */
export type Scope = readonly [from: string, to: string, hiddenFrom: string, hiddenTo: string];

/** Condition on `n`, a row of the namespaces; the four parts of a {@link Scope} are the parameters from `first` on. */
export function inScope(first: number): string {
  return `n.name >= $${first} AND n.name < $${first + 1} AND NOT (n.name >= $${first + 2} AND n.name < $${first + 3})`;
}

/** The scope of a prefix. */
export function scopeOf(prefix: Namespace): Scope {
  const { from, to } = namespaceRange(prefix);
  const hidden = hidesReserved(prefix) ? namespaceRange([reservedRoot]) : { from: "", to: "" };
  return [from, to, hidden.from, hidden.to];
}
