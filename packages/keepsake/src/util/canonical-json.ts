/**
 * JSON with sorted keys, so that equal values have equal texts. `undefined` where a value has none: cyclic, a function, a symbol, a
 * bigint, or not a plain object.
 */
export function canonicalJson(value: unknown): string | undefined {
  try {
    return write(value, new Set());
  } catch (error) {
    if (error === noJson || error instanceof RangeError) return undefined;
    throw error;
  }
}

const noJson = Symbol("no JSON form");

function write(value: unknown, ancestors: Set<object>): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object") throw noJson;
  if (ancestors.has(value)) throw noJson;
  ancestors.add(value);
  const text = Array.isArray(value) ? writeArray(value, ancestors) : writeObject(value, ancestors);
  ancestors.delete(value);
  return text;
}

function writeArray(value: readonly unknown[], ancestors: Set<object>): string {
  return `[${Array.from(value, (item) => write(item, ancestors)).join(",")}]`;
}

function writeObject(value: object, ancestors: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw noJson;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item, ancestors)}`).join(",")}}`;
}
