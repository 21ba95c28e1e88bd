import { KeepsakeError } from "../errors/index.ts";
import { canonicalJson, didYouMean, isPlainObject } from "../util/index.ts";
import { missing, readPath } from "./path.ts";

/** Tells whether a value satisfies a filter. */
export type FilterPredicate = (value: unknown) => boolean;

type Test = (found: unknown) => boolean;

const operators: ReadonlyMap<string, (operand: unknown, where: string) => Test> = new Map([
  ["$eq", (operand, where) => equals(operand, where)],
  ["$ne", (operand, where) => not(equals(operand, where))],
  ["$gt", (operand, where) => compares(operand, where, (order) => order > 0)],
  ["$gte", (operand, where) => compares(operand, where, (order) => order >= 0)],
  ["$lt", (operand, where) => compares(operand, where, (order) => order < 0)],
  ["$lte", (operand, where) => compares(operand, where, (order) => order <= 0)],
  ["$in", (operand, where) => oneOf(operand, where)],
  ["$nin", (operand, where) => not(oneOf(operand, where))],
]);

/**
 * Checks a filter and turns it into a predicate. All conditions, and all operators of a condition, must hold; a field that is missing
 * satisfies none; values of different types are neither equal nor ordered; objects and arrays are equal by content.
 *
 * @throws {KeepsakeError} `invalid_filter`: not an object, an unknown operator, or an operand that it cannot work with.
 */
export function compileFilter(filter: unknown): FilterPredicate {
  if (filter === undefined || filter === null) return () => true;
  if (!isPlainObject(filter))
    throw invalid(
      `A filter is a plain object of conditions by field, such as { kind: "note" }, not ${describe(filter)}.`,
      filter,
    );
  const conditions = Object.entries(filter).map(([path, condition]) => ({
    path,
    tests: compileCondition(path, condition),
  }));
  return (value) =>
    conditions.every(({ path, tests }) => {
      const found = readPath(value, path);
      return found !== missing && tests.every((test) => test(found));
    });
}

function compileCondition(path: string, condition: unknown): Test[] {
  if (path.startsWith("$")) {
    throw invalid(
      `The filter has "${path}" where the name of a field belongs; operators go inside: { field: { $gt: 1 } }.`,
      path,
    );
  }
  if (!isPlainObject(condition) || !Object.keys(condition).some((name) => name.startsWith("$"))) {
    return [equals(condition, path)];
  }
  return Object.entries(condition).map(([name, operand]) => {
    const operator = operators.get(name);
    if (operator === undefined) throw unknownOperator(name, path);
    return operator(operand, `${path}.${name}`);
  });
}

function unknownOperator(name: string, path: string): KeepsakeError {
  const known = [...operators.keys()];
  const meant = didYouMean(name, known);
  const advice = meant === undefined ? `Known are ${known.join(" ")}.` : `Did you mean ${meant}?`;
  return invalid(`The filter on "${path}" has the unknown operator "${name}". ${advice}`, name);
}

function not(test: Test): Test {
  return (found) => !test(found);
}

function equals(operand: unknown, where: string): Test {
  const wanted = jsonOf(operand, where);
  if (!isContainer(operand)) return (found) => found === operand;
  return (found) => isContainer(found) && canonicalJson(found) === wanted;
}

function compares(operand: unknown, where: string, holds: (order: number) => boolean): Test {
  const isNumber = typeof operand === "number" && Number.isFinite(operand);
  if (!isNumber && typeof operand !== "string") {
    throw invalid(
      `The filter's ${where} compares with a number or a string, not with ${describe(operand)}.`,
      operand,
    );
  }
  return (found) => {
    if (typeof found !== typeof operand) return false;
    if (found === operand) return holds(0);
    return holds((found as typeof operand) < operand ? -1 : 1);
  };
}

function oneOf(operand: unknown, where: string): Test {
  if (!Array.isArray(operand)) {
    throw invalid(`The filter's ${where} needs an array of values, not ${describe(operand)}.`, operand);
  }
  const tests = Array.from(operand, (item) => equals(item, where));
  return (found) => tests.some((test) => test(found));
}

function jsonOf(operand: unknown, where: string): string {
  const json = canonicalJson(operand);
  if (json === undefined)
    throw invalid(`The filter's ${where} is ${describe(operand)}, which is not plain JSON.`, operand);
  return json;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "bigint") return `the bigint ${value}`;
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object") return String(value);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== "Object") return `a ${kind}`;
  return isPlainObject(value)
    ? "an object with something inside that JSON cannot keep"
    : "an instance of a class";
}

function invalid(message: string, value: unknown): KeepsakeError {
  return new KeepsakeError("invalid_filter", message, { data: { value } });
}
