/**
 * A token of the full-text table is `term|class|namespace id`. The class says how often, at most, the item has the term: so the most that
 * an item can score is known before the item is read.
 */
const classLimits: readonly number[] = [50, 100, 200, 400, Number.POSITIVE_INFINITY];

/** The classes, with the highest frequency (in frequency units) of each. */
export const frequencyClasses: readonly { readonly id: number; readonly limit: number }[] = classLimits.map(
  (limit, id) => ({
    id,
    limit,
  }),
);

/** The class of a frequency. */
export function frequencyClass(frequency: number): number {
  return classLimits.findIndex((limit) => frequency <= limit);
}

/** A query for a term of a class in a namespace. Terms hold no quote. */
export function matchToken(term: string, frequencyClassId: number, namespace: number): string {
  return `"${term}|${frequencyClassId}|${namespace}"`;
}

/** The same in whatever namespace. */
export function matchAnywhere(term: string, frequencyClassId: number): string {
  return `"${term}|${frequencyClassId}|" *`;
}
