import { KeepsakeError } from "../errors/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import { didYouMean } from "./did-you-mean.ts";
import { harmless } from "./harmless.ts";
import { isObject, isRecord } from "./shapes.ts";

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

/** A whole number of at least `least`. */
export function isCount(least: number): OptionKind {
  return [
    `a whole number from ${least} on`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
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
  const kindOf = new Map(Object.entries(kinds));
  if (!isRecord(options)) throw refuse(`the options must be an object, not ${show(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    const [expected, fits] = kindOf.get(name) ?? [];
    if (fits === undefined) throw refuse(`unknown option "${name}". ${hint(name, [...kindOf.keys()])}`);
    if (value !== undefined && !fits(value)) throw refuse(`${name} must be ${expected}, not ${show(value)}.`);
  }
}

/** What to do about an unknown name: the known one that was probably meant, else all of them. */
export function hint(name: string, names: readonly string[]): string {
  const meant = didYouMean(name, names);
  return meant === undefined ? `Known are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
}

function show(given: unknown): string {
  const value = harmless(given);
  const isReference = isObject(value) || typeof value === "function";
  return canonicalJson(value)?.slice(0, 100) ?? (isReference ? describe(value) : String(value));
}

function describe(value: object): string {
  const names = Object.keys(value).slice(0, 8).join(", ");
  return names === "" || typeof value === "function"
    ? `a value of type ${typeof value}`
    : `an object with ${names}`;
}
