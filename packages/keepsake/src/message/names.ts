/** A name or an id, where it is a string that says something. */
export function nameIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The id of a message, where it has one that can be told apart from having none. */
export function idOf(id: unknown): string | undefined {
  return nameIn(Number.isFinite(id) ? String(id) : id);
}
