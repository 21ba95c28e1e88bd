import { isRecord } from "../../util/index.ts";
import type { ModelAnswer, ModelRequest } from "./types.ts";

/** The system prompt for a model that cannot be held to a schema: it is shown the schema instead. */
export function systemWithSchema({ system, schema }: ModelRequest): string {
  return `${system}\n\nAnswer with one JSON object and nothing else: no prose, no code fence. It must follow this JSON schema:\n${JSON.stringify(schema)}`;
}

/** Calls a function that was found on an object that is only known by its shape. */
export function call(holder: unknown, method: string, args: readonly unknown[]): unknown {
  const found: unknown = Object(holder)[method];
  if (typeof found !== "function") throw new TypeError(`${method} is not a function`);
  return Reflect.apply(found, holder, [...args]);
}

/** True where an object has all these methods. */
export function hasMethods(value: unknown, ...methods: readonly string[]): value is object {
  return methods.every((method) => typeof Object(value)[method] === "function");
}

/** A property that may lie deep, or not be there. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((place: unknown, key) => (isRecord(place) ? place[key] : undefined), value);
}

/** An answer of what was found: what is undefined is left out. */
export function answerOf(value: unknown, text: unknown, input: unknown, output: unknown): ModelAnswer {
  const tokens = typeof input === "number" && typeof output === "number" ? { tokens: { input, output } } : {};
  return {
    ...(value === undefined || value === null ? {} : { value }),
    ...(typeof text === "string" ? { text } : {}),
    ...tokens,
  };
}
