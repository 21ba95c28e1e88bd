/**
 * The index fields that find a turn by its own words, its speaker, its date, and, at a lower weight, by its surroundings: for the store
 * that `rememberVerbatim` writes to. Memories of the shape `{ content }` are found by the same fields.
 *
 * @example
 * ```ts
 * const store = new SqliteStore("memory.db", { index: turnIndex });
 * ```
 */
export const turnIndex: {
  readonly fields: Readonly<Record<"content" | "name" | "date" | "before" | "after", number>>;
} = Object.freeze({
  fields: Object.freeze({ content: 1, name: 2, date: 1, before: 0.6, after: 0.3 }),
});
