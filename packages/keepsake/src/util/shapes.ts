/** True for all but primitives and functions. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

/** True for an object of no class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** True for a promise of any make. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === "function";
}
