import { hidesReserved, type Namespace, namespaceRange, reservedRoot } from "../../store/index.ts";

/** Condition on `keepsake_namespaces n`, with the parameters of a {@link Scope}. */
export const inScope = "n.name >= ? AND n.name < ? AND NOT (n.name >= ? AND n.name < ?)";

/** The namespaces under a prefix, without those that are hidden from it. */
export type Scope = readonly [from: string, to: string, hiddenFrom: string, hiddenTo: string];

/** The scope of a prefix. */
export function scopeOf(prefix: Namespace): Scope {
  const { from, to } = namespaceRange(prefix);
  const hidden = hidesReserved(prefix) ? namespaceRange([reservedRoot]) : { from: "", to: "" };
  return [from, to, hidden.from, hidden.to];
}
