import { KeepsakeError } from "../errors/index.ts";
import { checkNamespace, reservedRoot } from "./namespace.ts";

/** A namespace whose labels may hold `{placeholders}`, to be filled for each call. */
export interface NamespaceTemplate {
  /** The labels as they were written. */
  readonly labels: readonly string[];
  /** The names in braces, each once. */
  readonly placeholders: readonly string[];
  /**
   * The namespace with the values of one call. No value is ever read as a part of the template.
   *
   * @throws {KeepsakeError} `missing_namespace_value`: a placeholder has no value, or one that cannot be a label;
   * `invalid_namespace`: the filled namespace is too long, or lies under keepsake's own root. No message repeats a value.
   */
  fill(read: (placeholder: string) => unknown): string[];
}

/** What stands between braces, at the odd places; the text around it, at the even ones. */
type LabelParts = readonly string[];

const unstorable = /[\0\p{Surrogate}]/u;

/**
 * The labels of a namespace as an app writes it: an array as it is; a string that begins with `/` is a scope path, split at
 * `/`; any other string is one label.
 *
 * @example
 * ```ts
 * namespaceLabels("/users/{id}"); // ["users", "{id}"]
 * ```
 */
export function namespaceLabels(namespace: string | readonly string[]): string[] {
  if (typeof namespace !== "string") return [...namespace];
  return namespace.startsWith("/") ? namespace.slice(1).split("/") : [namespace];
}

/**
 * Reads a namespace with `{placeholders}`. They may stand anywhere in a label. Strings, numbers and bigints fill them; an array
 * of those fills a label that is exactly one placeholder, and becomes several labels.
 *
 * @throws {KeepsakeError} `invalid_config`: no array of strings and no string, no labels, an empty one, or a brace without its partner.
 * @example
 * ```ts
 * const template = namespaceTemplate(["memories", "{userId}"]);
 * template.fill((name) => ({ userId: "asha" })[name]); // ["memories", "asha"]
 * ```
 */
export function namespaceTemplate(namespace: string | readonly string[]): NamespaceTemplate {
  const labels = checkLabels(namespace);
  const parts = labels.map(partsOf);
  const placeholders = [...new Set(parts.flatMap((label) => label.filter((_, index) => index % 2 === 1)))];
  return {
    labels,
    placeholders,
    fill(read) {
      const filled = parts.flatMap((label) => fillLabel(label, read));
      if (filled[0] === reservedRoot) {
        throw new KeepsakeError(
          "invalid_namespace",
          `The memory namespace begins with ${reservedRoot}, which keepsake keeps for itself. Begin it with a label of your own.`,
        );
      }
      return checkNamespace(filled);
    },
  };
}

function checkLabels(namespace: unknown): string[] {
  const isText = typeof namespace === "string";
  if (!isText && !(Array.isArray(namespace) && namespace.every((label) => typeof label === "string"))) {
    throw invalid(`A namespace is a string or an array of strings, such as ["memories", "{userId}"].`);
  }
  const labels = namespaceLabels(isText ? namespace : namespace.map(String));
  if (labels.length === 0) {
    throw invalid(`The namespace has no labels, so it would be everybody's. Write ["memories", "{userId}"].`);
  }
  if (labels.includes("")) {
    throw invalid(
      `The namespace ${JSON.stringify(namespace)} has an empty label. Write for example "/memories/{userId}", without a slash at the end.`,
    );
  }
  return labels;
}

function partsOf(label: string): LabelParts {
  const parts = label.split(/\{([^{}]+)\}/);
  if (parts.some((part, index) => index % 2 === 0 && /[{}]/.test(part))) {
    throw invalid(
      `The label ${JSON.stringify(label)} has a brace that belongs to no placeholder. Write {name}, with a name.`,
    );
  }
  return parts;
}

function fillLabel(parts: LabelParts, read: (placeholder: string) => unknown): string[] {
  const [before, only = "", after] = parts;
  if (parts.length === 3 && before === "" && after === "") {
    const value = read(only);
    if (!Array.isArray(value)) return [labelText(only, value)];
    if (value.length === 0) throw missing(only, "is an empty array");
    return Array.from(value, (item: unknown) => labelText(only, item));
  }
  const filled = parts.map((part, index) => (index % 2 === 1 ? labelText(part, read(part)) : part));
  return [filled.join("")];
}

function labelText(placeholder: string, value: unknown): string {
  const problem = problemOf(value);
  if (problem !== undefined) throw missing(placeholder, problem);
  return String(value);
}

/** Why a value cannot be a label, in words that do not repeat it. */
function problemOf(value: unknown): string | undefined {
  if (value === undefined) return "is missing";
  if (value === null) return "is null";
  if (value === "") return "is an empty string";
  if (typeof value === "string") {
    return unstorable.test(value) ? "has a character that databases cannot keep" : undefined;
  }
  if (typeof value === "bigint") return undefined;
  if (typeof value !== "number") return `is ${Array.isArray(value) ? "an array" : `of type ${typeof value}`}`;
  if (!Number.isFinite(value)) return "is not a finite number";
  // Beyond this, two ids become one number.
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact ? undefined : "is a number too large to be exact (pass a string)";
}

function missing(placeholder: string, problem: string): KeepsakeError {
  return new KeepsakeError(
    "missing_namespace_value",
    `The memory namespace has no value for {${placeholder}}: it ${problem}. The application must pass it with each call, in configurable or context.`,
    { data: { placeholder, problem } },
  );
}

function invalid(message: string): KeepsakeError {
  return new KeepsakeError("invalid_config", message);
}
