import { isRecord } from "../util/index.ts";

/** Says of a field that it must be there and may be null, so that null is a value of it and removes nothing. */
export type KeepsNull = (path: readonly string[]) => boolean;

/**
 * A record with what `patch` says of it: a field of the patch replaces that of the record, objects are merged field by field, `null`
 * removes a field, arrays are replaced whole. Neither input is changed.
 *
 * This is JSON Merge Patch (RFC 7396), with `keepsNull` for fields where a schema asks for null.
 *
 * @example
 * ```ts
 * mergeRecords({ name: "Asha", age: 60, seat: "aisle" }, { age: 61, seat: null }); // { name: "Asha", age: 61 }
 * ```
 */
export function mergeRecords(
  record: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
  keepsNull: KeepsNull = () => false,
): Record<string, unknown> {
  return mergeAt(record, patch, { path: [], keepsNull });
}

interface Place {
  readonly path: readonly string[];
  readonly keepsNull: KeepsNull;
}

function mergeAt(
  record: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
  { path, keepsNull }: Place,
): Record<string, unknown> {
  const merged = new Map(Object.entries(record));
  for (const [name, change] of Object.entries(patch)) {
    const place = { path: [...path, name], keepsNull };
    const before = merged.get(name);
    if (change === undefined || name === "__proto__") continue;
    if (change === null && !keepsNull(place.path)) merged.delete(name);
    else if (isRecord(change)) merged.set(name, mergeAt(isRecord(before) ? before : {}, change, place));
    else merged.set(name, change);
  }
  return Object.fromEntries(merged);
}
