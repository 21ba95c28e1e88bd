import { KeepsakeError } from "../errors/index.ts";
import { isRecord } from "../util/index.ts";

const maxDepth = 200;

/**
 * The JSON text of a value to be stored. Dates and other objects with `toJSON` are written as that says; properties that are
 * `undefined` are left out.
 *
 * @throws {KeepsakeError} `invalid_value`: not an object, or with something inside that JSON would lose (a cycle, NaN, a bigint, a
 * function, a Map, …); the message says where.
 */
export function valueToJson(value: unknown): string {
  if (!isRecord(value)) {
    throw invalid(`A value is an object such as { content: "…" }, not ${describe(value)}.`, "");
  }
  const plain = copyOf(value);
  if (!isRecord(plain)) throw invalid(`The value's toJSON gives ${describe(plain)}, not an object.`, "");
  return JSON.stringify(plain);
}

/** What the value's own getters and `toJSON` throw becomes the cause. */
function copyOf(value: unknown): unknown {
  try {
    return copy(value, "", []);
  } catch (cause) {
    if (KeepsakeError.isInstance(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new KeepsakeError("invalid_value", `The value could not be read: ${reason}`, { cause });
  }
}

/** A fresh copy of a stored value. */
export function valueFromJson(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return isRecord(value) ? value : {};
}

function copy(value: unknown, path: string, ancestors: readonly object[]): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") throw notJson(value, path);
  if (ancestors.includes(value)) throw invalid(`The value contains itself at ${where(path)}.`, path);
  if (ancestors.length >= maxDepth)
    throw invalid(`The value is nested deeper than ${maxDepth} levels.`, path);
  const inside = [...ancestors, value];
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) =>
      item === undefined ? null : copy(item, `${path}[${index}]`, inside),
    );
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), path, inside);
  if (Object.prototype.toString.call(value) !== "[object Object]") throw notJson(value, path);
  return copyProperties(value, path, inside);
}

function copyProperties(value: object, path: string, inside: readonly object[]): object {
  // A property named `__proto__` must become a property of the copy, not its prototype.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, copy(item, path === "" ? name : `${path}.${name}`, inside)]),
  );
}

function notJson(value: unknown, path: string): KeepsakeError {
  return invalid(`The value holds ${describe(value)} at ${where(path)}, which JSON cannot keep.`, path);
}

function where(path: string): string {
  return path === "" ? "its root" : `"${path.slice(0, 200)}"`;
}

function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return `a ${typeof value}`;
  return `a ${Object.prototype.toString.call(value).slice(8, -1)}`;
}

function invalid(message: string, path: string): KeepsakeError {
  return new KeepsakeError("invalid_value", message, { data: { path } });
}
