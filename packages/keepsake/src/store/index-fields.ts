import { KeepsakeError } from "../errors/index.ts";
import { type DocumentTerms, documentTerms, textAt } from "../search/index.ts";
import { harmless, hash128, isRecord } from "../util/index.ts";
import type { TermsOf } from "./backend.ts";
import { valueFromJson } from "./value.ts";

/** A dotted path of values, and the weight of what stands there. */
export interface IndexField {
  readonly path: string;
  readonly weight: number;
}

const minWeight = 0.01;
const maxWeight = 100;

/**
 * The fields that a store indexes where an item does not say otherwise; default the whole value.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function resolveFields(fields: unknown = ["$"]): IndexField[] {
  if (!isRecord(fields) && !Array.isArray(fields)) {
    throw invalid("`index.fields` is a list of paths, or an object of paths with weights.", fields);
  }
  const resolved: IndexField[] = Array.isArray(fields)
    ? Array.from(fields, (path: unknown) => ({ path: checkPath(path), weight: 1 }))
    : Object.entries(fields).map(([path, weight]) => ({
        path: checkPath(path),
        weight: checkWeight(path, weight),
      }));
  if (resolved.length === 0)
    throw invalid("`index.fields` is empty; name at least one field, or leave it out.", fields);
  return resolved;
}

/**
 * The fields for one item: those of the store, only those named (with the store's weights), or none.
 *
 * @throws {KeepsakeError} `invalid_input`
 */
export function itemFields(index: unknown, defaults: readonly IndexField[]): readonly IndexField[] | false {
  if (index === undefined || index === null || index === true) return defaults;
  if (index === false) return false;
  if (!Array.isArray(index)) {
    throw new KeepsakeError("invalid_input", "`index` is `false` or a list of paths.", { data: { index } });
  }
  const paths = Array.from(index, (path: unknown) => {
    if (typeof path === "string" && path !== "") return path;
    throw new KeepsakeError("invalid_input", "`index` holds something that is not a path.", {
      data: { index },
    });
  });
  return paths.map((path) => defaults.find((field) => field.path === path) ?? { path, weight: 1 });
}

/** What ranking knows of a value; `undefined` where it is not to be found by a query. */
export function indexedTerms(
  value: unknown,
  fields: readonly IndexField[] | false,
): DocumentTerms | undefined {
  if (fields === false || fields.length === 0) return undefined;
  return documentTerms(fields.map(({ path, weight }) => ({ text: textAt(value, path), weight })));
}

/** Texts of an item are embedded in pieces of at most so many characters; models cut or refuse longer ones. */
const maxPieceLength = 2_000;
/** Beyond so many pieces an item is found by its words alone. */
const maxPieces = 32;

/**
 * The texts of a value to embed, none where it is not to be found by a query, or says nothing: those of all its fields, the heaviest first, as
 * what a text begins with counts most. A long one is cut into pieces, between words where there are any.
 */
export function embeddedTexts(value: unknown, fields: readonly IndexField[] | false): string[] {
  if (fields === false) return [];
  const text = [...fields]
    .sort((left, right) => right.weight - left.weight)
    .map(({ path }) => textAt(value, path))
    .filter((part) => part.trim() !== "")
    .join("\n");
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length && pieces.length < maxPieces) {
    const end = pieceEnd(text, start);
    const piece = text.slice(start, end);
    if (piece.trim() !== "") pieces.push(piece);
    start = end;
  }
  return pieces;
}

function pieceEnd(text: string, start: number): number {
  const end = start + maxPieceLength;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  if (space > start + maxPieceLength / 2) return space;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}

/** A text that changes with any of the texts. */
export function hashOfTexts(texts: readonly string[]): string {
  return hash128(JSON.stringify(texts));
}

/** The fields as one text, the same for the same fields in any order. */
export function fieldsAsText(fields: readonly IndexField[]): string {
  const pairs = fields.map(({ path, weight }) => [path, weight] as const);
  return JSON.stringify(pairs.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}

/** How a store with these fields gets the terms of a stored value. */
export function termsWith(defaults: readonly IndexField[]): TermsOf {
  return (json, index) => indexedTerms(valueFromJson(json), itemFields(index, defaults));
}

function checkPath(path: unknown): string {
  if (typeof path === "string" && path !== "") return path;
  throw invalid("`index.fields` holds something that is not a path.", path);
}

function checkWeight(path: string, weight: unknown): number {
  if (typeof weight === "number" && weight >= minWeight && weight <= maxWeight) return weight;
  throw invalid(
    `The weight of the field "${path}" is ${String(harmless(weight))}; weights are numbers from ${minWeight} to ${maxWeight}.`,
    weight,
  );
}

function invalid(message: string, value: unknown): KeepsakeError {
  return new KeepsakeError("invalid_config", message, { data: { value: harmless(value) } });
}
