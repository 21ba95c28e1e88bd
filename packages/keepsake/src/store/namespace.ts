import { KeepsakeError } from "../errors/index.ts";
import type { Namespace } from "./types.ts";

/**
 * The first label of namespaces that keepsake keeps for itself (history, tombstones, plans). A search, listing, count or deletion
 * never sees what is under it, unless its prefix begins with it.
 */
export const reservedRoot = "__keepsake";

const maxNamespaceBytes = 2048;
const maxKeyBytes = 2048;
const unstorable = /[\0\p{Surrogate}]/u;
const utf8 = new TextEncoder();

/**
 * A namespace as one string: every label as JSON text, followed by a comma. The namespaces under a prefix are exactly those whose
 * strings begin with the prefix's string, because a quote inside a label is escaped.
 *
 * @example
 * ```ts
 * encodeNamespace(["u", "1"]); // '"u","1",'
 * ```
 */
export function encodeNamespace(namespace: Namespace): string {
  return namespace.map((label) => `${JSON.stringify(label)},`).join("");
}

/** The reverse of {@link encodeNamespace}. */
export function decodeNamespace(encoded: string): string[] {
  const labels: unknown = JSON.parse(`[${encoded.slice(0, -1)}]`);
  return Array.isArray(labels) ? labels.map(String) : [];
}

/** Encoded namespaces under an encoded prefix lie between `from` (inclusive) and `to` (exclusive) in byte order. */
export function namespaceRange(prefix: Namespace): { from: string; to: string } {
  const encoded = encodeNamespace(prefix);
  return encoded === "" ? { from: "", to: "\u{10ffff}" } : { from: encoded, to: `${encoded.slice(0, -1)}-` };
}

/** True where searches under `prefix` leave out the reserved root. */
export function hidesReserved(prefix: Namespace): boolean {
  return prefix[0] !== reservedRoot;
}

/**
 * A checked copy of a namespace.
 *
 * @throws {KeepsakeError} `invalid_namespace`: not an array, empty, too long, or with a label that is not a usable string.
 */
export function checkNamespace(namespace: unknown): string[] {
  const labels = checkPrefix(namespace);
  if (labels.length === 0) {
    throw invalidNamespace(
      "The namespace is empty; an item needs at least one label, such as the user's id.",
      namespace,
    );
  }
  return labels;
}

/**
 * The same for a prefix, which may be empty.
 *
 * @throws {KeepsakeError} `invalid_namespace`
 */
export function checkPrefix(prefix: unknown): string[] {
  if (!Array.isArray(prefix)) {
    throw invalidNamespace(`A namespace is an array of strings, not ${describeType(prefix)}.`, prefix);
  }
  const labels = Array.from(prefix, (label: unknown) => checkLabel(label, prefix));
  if (utf8.encode(encodeNamespace(labels)).length > maxNamespaceBytes) {
    throw invalidNamespace(
      `The namespace is longer than ${maxNamespaceBytes} bytes; shorten its labels, or use a hash of them.`,
      prefix,
    );
  }
  return labels;
}

function checkLabel(label: unknown, namespace: readonly unknown[]): string {
  if (typeof label !== "string") {
    throw invalidNamespace(
      `A label of the namespace is ${describeType(label)}; labels are strings.`,
      namespace,
    );
  }
  if (label === "") throw invalidNamespace("A label of the namespace is the empty string.", namespace);
  if (unstorable.test(label)) {
    throw invalidNamespace(
      `The label ${JSON.stringify(label.slice(0, 80))} has a NUL character or half of a surrogate pair in it, which databases cannot keep.`,
      namespace,
    );
  }
  return label;
}

/**
 * A checked key.
 *
 * @throws {KeepsakeError} `invalid_key`: not a string, empty, longer than 2048 bytes, or with characters that databases cannot keep.
 */
export function checkKey(key: unknown): string {
  if (typeof key !== "string") throw invalidKey(`A key is a string, not ${describeType(key)}.`, key);
  if (key === "") throw invalidKey("The key is the empty string.", key);
  if (unstorable.test(key)) {
    throw invalidKey(
      `The key ${JSON.stringify(key.slice(0, 80))} has a NUL character or half of a surrogate pair in it, which databases cannot keep.`,
      key,
    );
  }
  if (key.length > maxKeyBytes || utf8.encode(key).length > maxKeyBytes) {
    throw invalidKey(
      `The key that begins with ${JSON.stringify(key.slice(0, 40))} is longer than ${maxKeyBytes} bytes; use a hash of it.`,
      key,
    );
  }
  return key;
}

/** Compares strings by code point: the order of their UTF-8 bytes, and so that of databases. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    // Units of surrogate pairs stand for code points above all others.
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `of type ${typeof value}`;
}

function invalidNamespace(message: string, namespace: unknown): KeepsakeError {
  return new KeepsakeError("invalid_namespace", message, { data: { namespace } });
}

function invalidKey(message: string, key: unknown): KeepsakeError {
  return new KeepsakeError("invalid_key", message, { data: { key } });
}
