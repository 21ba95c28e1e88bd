/** Fields that are there, in the types of those that may not be. */
export type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Without the fields that are undefined or an empty text: what a store would keep for nothing. */
export function defined<T extends object>(fields: T): Defined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(entries) as Defined<T>;
}
