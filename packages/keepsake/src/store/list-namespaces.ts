import { KeepsakeError } from "../errors/index.ts";
import { isRecord } from "../util/index.ts";
import { checkPrefix, compareCodePoints, encodeNamespace, reservedRoot } from "./namespace.ts";
import { readCount } from "./search-options.ts";

/** A checked request for namespaces. */
export interface ListingPlan {
  readonly prefixes: readonly (readonly string[])[];
  readonly suffixes: readonly (readonly string[])[];
  readonly maxDepth: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * @throws {KeepsakeError} `invalid_input` or `invalid_namespace`
 */
export function listingPlan(options: unknown): ListingPlan {
  const given = options ?? {};
  if (!isRecord(given))
    throw new KeepsakeError("invalid_input", "The options of listNamespaces are an object.");
  const { prefix, suffix, maxDepth, limit, offset } = given;
  return {
    prefixes: prefix === undefined || prefix === null ? [] : [checkPrefix(prefix)],
    suffixes: suffix === undefined || suffix === null ? [] : [checkPrefix(suffix)],
    maxDepth: maxDepth === undefined || maxDepth === null ? undefined : readCount("maxDepth", maxDepth, 1),
    limit: readCount("limit", limit ?? 100, 0),
    offset: readCount("offset", offset ?? 0, 0),
  };
}

/**
 * The same from LangGraph's operation, whose conditions may be several.
 *
 * @throws {KeepsakeError} `invalid_input`
 */
export function listingPlanOfOperation(operation: Record<string, unknown>): ListingPlan {
  const plan = listingPlan({ ...operation, prefix: undefined, suffix: undefined });
  const conditions = operation.matchConditions ?? [];
  if (!Array.isArray(conditions)) throw new KeepsakeError("invalid_input", "`matchConditions` is an array.");
  const pathsOf = (type: string): string[][] =>
    conditions
      .filter((condition) => matchType(condition) === type)
      .map((condition) => checkPrefix(condition.path));
  return { ...plan, prefixes: pathsOf("prefix"), suffixes: pathsOf("suffix") };
}

function matchType(condition: unknown): string {
  const type = isRecord(condition) ? condition.matchType : undefined;
  if (type === "prefix" || type === "suffix") return type;
  throw new KeepsakeError("invalid_input", 'A match condition has the `matchType` "prefix" or "suffix".', {
    data: { condition },
  });
}

/** The longest prefix without wildcards that all namespaces of the plan share. */
export function literalPrefix(plan: ListingPlan): string[] {
  return plan.prefixes
    .map((prefix) => {
      const wildcard = prefix.indexOf("*");
      return [...(wildcard < 0 ? prefix : prefix.slice(0, wildcard))];
    })
    .reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), []);
}

/** The page of namespaces that the plan asks for, ordered by their labels. */
export function selectNamespaces(namespaces: readonly string[][], plan: ListingPlan): string[][] {
  const wantsReserved = plan.prefixes.some((prefix) => prefix[0] === reservedRoot);
  const chosen = new Map<string, string[]>();
  for (const namespace of namespaces) {
    if (namespace[0] === reservedRoot && !wantsReserved) continue;
    if (!plan.prefixes.every((prefix) => matches(namespace, prefix, 0))) continue;
    if (!plan.suffixes.every((suffix) => matches(namespace, suffix, namespace.length - suffix.length)))
      continue;
    const cut = plan.maxDepth === undefined ? namespace : namespace.slice(0, plan.maxDepth);
    chosen.set(encodeNamespace(cut), cut);
  }
  return [...chosen.values()].sort(compareLabels).slice(plan.offset, plan.offset + plan.limit);
}

function matches(namespace: readonly string[], pattern: readonly string[], start: number): boolean {
  if (start < 0 || start + pattern.length > namespace.length) return false;
  return pattern.every((label, index) => label === "*" || label === namespace[start + index]);
}

function compareLabels(left: readonly string[], right: readonly string[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareCodePoints(left[index] ?? "", right[index] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
