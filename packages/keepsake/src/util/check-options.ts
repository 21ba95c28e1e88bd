import { KeepsakeError } from "../errors/index.ts";
import { didYouMean } from "./did-you-mean.ts";
import { isRecord } from "./shapes.ts";

/** What the value of an option must be, in words and as a test. */
export type OptionKind = readonly [expected: string, fits: (value: unknown) => boolean];

/** Kinds of options that several functions take. */
export const isFunction: OptionKind = ["a function", (value) => typeof value === "function"];
/** True or false. */
export const isBoolean: OptionKind = ["true or false", (value) => typeof value === "boolean"];
/** What takes a developer's messages; `console` fits. */
export const isLogger: OptionKind = [
  "an object with the functions debug and warn",
  (value) => isRecord(value) && typeof value.debug === "function" && typeof value.warn === "function",
];

/** A whole number of at least `least` and at most `most`. */
export function isCount(least: number, most: number = Number.MAX_SAFE_INTEGER): OptionKind {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return [
    `a whole number ${range}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  ];
}

/** One of a few words. */
export function isOneOf(...words: readonly string[]): OptionKind {
  return [words.map((word) => `"${word}"`).join(" or "), (value) => words.some((word) => word === value)];
}

/**
 * Refuses options that are unknown or of the wrong kind; `undefined` counts as left out.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function checkOptions(
  subject: string,
  options: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
): void {
  const refuse = (problem: string): KeepsakeError =>
    new KeepsakeError("invalid_config", `${subject}: ${problem}`);
  if (!isRecord(options)) throw refuse(`the options must be an object, not ${show(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw refuse(`unknown option "${name}". ${hint(name, Object.keys(kinds))}`);
    if (value !== undefined && !kind[1](value))
      throw refuse(`${name} must be ${kind[0]}, not ${show(value)}.`);
  }
}

function hint(name: string, names: readonly string[]): string {
  const meant = didYouMean(name, names);
  return meant === undefined ? `Known are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
}

function show(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (Array.isArray(value)) return `[${value.slice(0, 10).map(show).join(", ")}]`;
  return typeof value === "object" && value !== null
    ? "an object"
    : typeof value === "function"
      ? "a function"
      : String(value);
}
