import { canonicalJson, isRecord } from "../util/index.ts";
import type { JsonSchema } from "./types.ts";

/**
 * What of a value does not satisfy a JSON schema, as lines such as `age: must be an integer, not "x"`. The keywords are those
 * that models are given: types, properties, items, enums, combinations, bounds, patterns and references within the schema; others
 * are ignored, as JSON Schema asks for.
 */
export function schemaProblems(schema: JsonSchema, value: unknown): string[] {
  return check({ root: schema, depth: 0 }, schema, value, "");
}

/** The value with what `default` says for missing properties, in a copy. */
export function withDefaults(schema: JsonSchema, value: unknown): unknown {
  return fill({ root: schema, depth: 0 }, schema, value);
}

interface Reading {
  readonly root: JsonSchema;
  /** How many references were followed; a schema may refer to itself. */
  readonly depth: number;
}

const maxDepth = 64;

function check(reading: Reading, schema: unknown, value: unknown, path: string): string[] {
  if (schema === false) return [line(path, "must not be there")];
  if (!isRecord(schema)) return [];
  const [followed, target] = follow(reading, schema);
  if (target !== undefined) {
    return [...check(followed, target, value, path), ...checkHere(reading, schema, value, path)];
  }
  return checkHere(reading, schema, value, path);
}

function checkHere(
  reading: Reading,
  schema: Record<string, unknown>,
  value: unknown,
  path: string,
): string[] {
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    return [line(path, `must be ${types.map(named).join(" or ")}, not ${shown(value)}`)];
  }
  return [
    ...choiceProblems(schema, value, path),
    ...combinationProblems(reading, schema, value, path),
    ...boundProblems(schema, value, path),
    ...(isRecord(value) ? propertyProblems(reading, schema, value, path) : []),
    ...(Array.isArray(value) ? itemProblems(reading, schema, value, path) : []),
  ];
}

function choiceProblems(schema: Record<string, unknown>, value: unknown, path: string): string[] {
  const choices = "const" in schema ? [schema.const] : schema.enum;
  if (!Array.isArray(choices)) return [];
  const wanted = canonicalJson(value);
  if (choices.some((choice) => canonicalJson(choice) === wanted)) return [];
  return [line(path, `must be ${choices.map(shown).join(" or ")}, not ${shown(value)}`)];
}

function combinationProblems(
  reading: Reading,
  schema: Record<string, unknown>,
  value: unknown,
  path: string,
): string[] {
  const all = listOf(schema.allOf).flatMap((part) => check(reading, part, value, path));
  const variants = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (variants.length === 0) return all;
  const outcomes = variants.map((variant) => check(reading, variant, value, path));
  // The variant that was meant fits best; one for another type of value was not meant.
  const misfit = (problems: readonly string[]): number => {
    const isOfOtherType = problems[0]?.startsWith(line(path, "must be ")) === true;
    return isOfOtherType ? Number.MAX_SAFE_INTEGER : problems.length;
  };
  const [nearest = []] = outcomes.sort((left, right) => misfit(left) - misfit(right));
  return [...all, ...nearest];
}

function boundProblems(schema: Record<string, unknown>, value: unknown, path: string): string[] {
  const size =
    typeof value === "string" ? [...value].length : Array.isArray(value) ? value.length : undefined;
  const [least, most] = Array.isArray(value)
    ? [schema.minItems, schema.maxItems]
    : [schema.minLength, schema.maxLength];
  const unit = Array.isArray(value) ? "items" : "characters";
  const problems: [boolean, string][] = [
    [size !== undefined && isBelow(size, least), `must have at least ${least} ${unit}`],
    [size !== undefined && isBelow(most, size), `must have at most ${most} ${unit}`],
    [isBelow(value, schema.minimum), `must be at least ${schema.minimum}`],
    [isBelow(schema.maximum, value), `must be at most ${schema.maximum}`],
    [isBelow(value, schema.exclusiveMinimum, true), `must be more than ${schema.exclusiveMinimum}`],
    [isBelow(schema.exclusiveMaximum, value, true), `must be less than ${schema.exclusiveMaximum}`],
    [!matches(schema.pattern, value), `must match ${schema.pattern}`],
  ];
  return problems.filter(([isProblem]) => isProblem).map(([, problem]) => line(path, problem));
}

function propertyProblems(
  reading: Reading,
  schema: Record<string, unknown>,
  value: Record<string, unknown>,
  path: string,
): string[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const missing = listOf(schema.required).filter(
    (name) => typeof name === "string" && !Object.hasOwn(value, name),
  );
  const known = Object.keys(properties);
  return [
    ...missing.map((name) => line(join(path, String(name)), "is missing")),
    ...Object.entries(value).flatMap(([name, item]) => {
      const rule = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
      if (rule === false) return [line(join(path, name), `is unknown; known are ${known.join(", ")}`)];
      return check(reading, rule, item, join(path, name));
    }),
  ];
}

function itemProblems(
  reading: Reading,
  schema: Record<string, unknown>,
  value: readonly unknown[],
  path: string,
): string[] {
  const first = listOf(schema.prefixItems);
  return value.flatMap((item, index) => {
    return check(reading, first[index] ?? schema.items, item, `${path}[${index}]`);
  });
}

function fill(reading: Reading, schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  const [followed, target] = follow(reading, schema);
  const filled = target === undefined ? value : fill(followed, target, value);
  if (Array.isArray(filled)) return filled.map((item) => fill(reading, schema.items, item));
  if (!isRecord(filled) || !isRecord(schema.properties)) return fillVariant(reading, schema, filled);
  const added = Object.entries(schema.properties).flatMap(([name, rule]): [string, unknown][] => {
    if (Object.hasOwn(filled, name)) return [[name, fill(reading, rule, filled[name])]];
    return isRecord(rule) && "default" in rule ? [[name, structuredClone(rule.default)]] : [];
  });
  return fillVariant(reading, schema, Object.fromEntries([...Object.entries(filled), ...added]));
}

function fillVariant(reading: Reading, schema: Record<string, unknown>, value: unknown): unknown {
  for (const variant of [...listOf(schema.anyOf), ...listOf(schema.oneOf)]) {
    const filled = fill(reading, variant, value);
    if (check(reading, variant, filled, "").length === 0) return filled;
  }
  return listOf(schema.allOf).reduce((filled, part) => fill(reading, part, filled), value);
}

/** What a reference within the schema points at. */
function follow(reading: Reading, schema: Record<string, unknown>): [Reading, unknown] {
  const reference = schema.$ref;
  if (typeof reference !== "string" || !reference.startsWith("#") || reading.depth > maxDepth) {
    return [reading, undefined];
  }
  const steps = reference.slice(1).split("/").slice(1);
  const target = steps.reduce((place: unknown, step) => {
    return Object(place)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
  }, reading.root);
  return [{ ...reading, depth: reading.depth + 1 }, target];
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  return typeof value === type;
}

function named(type: string): string {
  if (type === "null") return "null";
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function isBelow(left: unknown, right: unknown, orEqual = false): boolean {
  if (typeof left !== "number" || typeof right !== "number") return false;
  return left < right || (orEqual && left === right);
}

function matches(pattern: unknown, value: unknown): boolean {
  if (typeof pattern !== "string" || typeof value !== "string") return true;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function line(path: string, problem: string): string {
  return path === "" ? problem : `${path}: ${problem}`;
}

function shown(value: unknown): string {
  const text = canonicalJson(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
