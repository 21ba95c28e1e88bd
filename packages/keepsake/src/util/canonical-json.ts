import { isPlainObject } from "./shapes.ts";

/**
 * JSON with sorted keys, so that equal values have equal texts. `undefined` where a value has none: cyclic, a function, a symbol, a
 * bigint, not a plain object, or one that throws when it is read.
 */
export function canonicalJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, canonical);
  } catch {
    return undefined;
  }
}

/** A replacer: the holder has each value as it was before a `toJSON` of its own. Copies all, so that a cycle ends in a RangeError. */
function canonical(this: Readonly<Record<string, unknown>>, key: string): unknown {
  const value = this[key];
  if (Array.isArray(value)) return [...value];
  if (isPlainObject(value)) return Object.fromEntries(Object.entries(value).sort(byKey));
  const isJson =
    value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  if (isJson || (value === undefined && !Array.isArray(this))) return value;
  throw new TypeError("no JSON form");
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
