import { isRecord } from "../util/index.ts";

/** What stands at a dotted path of a JSON value; {@link missing} where nothing does. */
export const missing: unique symbol = Symbol("missing");

/**
 * Follows a dotted path through own properties. A property that is named exactly like the path (or like what is left of it) comes
 * before the nested one, so that names with dots in them can be reached. Numbers index into arrays.
 */
export function readPath(value: unknown, path: string): unknown {
  let current = value;
  let rest = path;
  for (;;) {
    const whole = property(current, rest);
    if (whole !== missing) return whole;
    const dot = rest.indexOf(".");
    if (dot < 0) return missing;
    current = property(current, rest.slice(0, dot));
    if (current === missing) return missing;
    rest = rest.slice(dot + 1);
  }
}

function property(value: unknown, name: string): unknown {
  if (Array.isArray(value))
    return /^\d{1,9}$/.test(name) && Number(name) < value.length ? value[Number(name)] : missing;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : missing;
}

/** The text at a path: `"$"` is the whole value. Strings and numbers inside objects and arrays count, property names do not. */
export function textAt(value: unknown, path: string): string {
  const texts: string[] = [];
  collectText(path === "$" ? value : readPath(value, path), texts);
  return texts.join("\n");
}

function collectText(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "number") texts.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collectText(item, texts);
  else if (isRecord(value)) for (const item of Object.values(value)) collectText(item, texts);
}
