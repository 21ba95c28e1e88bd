import { KeepsakeError } from "../errors/index.ts";
import { didYouMean, isRecord } from "../util/index.ts";

/** What an operation of a batch asks for. LangGraph's operations carry no tag: the properties that are present tell. */
export type OperationKind = "get" | "put" | "delete" | "search" | "list";

const putNames = ["namespace", "key", "value", "index", "options"];
const namesOf: Readonly<Record<OperationKind, readonly string[]>> = {
  get: ["namespace", "key"],
  put: putNames,
  delete: putNames,
  search: ["namespacePrefix", "query", "filter", "limit", "offset", "mode", "signal"],
  list: ["matchConditions", "maxDepth", "limit", "offset"],
};
const allNames = [...new Set(Object.values(namesOf).flat())];
/** Where what is no property of an operation belongs. */
const places: ReadonlyMap<string, string> = new Map([
  ["ttlMs", "It belongs in `options: { ttlMs }`."],
  ["touch", "It belongs in `options: { touch }`."],
  ["expectedVersion", "A batch cannot expect a version; use `compareAndSet`."],
]);

/**
 * The kind of a batch operation. A property that its kind does not have is refused: a misspelt one would change what is done.
 *
 * @throws {KeepsakeError} `invalid_input` for what is none.
 */
export function operationKind(operation: unknown): {
  kind: OperationKind;
  operation: Record<string, unknown>;
} {
  if (!isRecord(operation)) throw unknownOperation(operation);
  const kind = kindOf(operation);
  if (kind === undefined) throw unknownOperation(operation);
  for (const name of Object.keys(operation)) {
    if (!namesOf[kind].includes(name)) throw unknownProperty(name, kind, operation);
  }
  return { kind, operation };
}

function kindOf(operation: Readonly<Record<string, unknown>>): OperationKind | undefined {
  const has = (name: string): boolean => Object.hasOwn(operation, name);
  if (has("namespacePrefix")) return "search";
  if (has("matchConditions")) return "list";
  if (has("namespace") && has("key")) {
    if (!has("value")) return "get";
    return operation.value === null ? "delete" : "put";
  }
  const lists = ["limit", "offset", "maxDepth"].some(has);
  return lists && !has("namespace") && !has("key") ? "list" : undefined;
}

function unknownProperty(
  name: string,
  kind: OperationKind,
  operation: Readonly<Record<string, unknown>>,
): KeepsakeError {
  const free = allNames.filter((known) => !Object.hasOwn(operation, known));
  const meant = allNames.includes(name) ? undefined : didYouMean(name, free);
  const advice = places.get(name) ?? (meant === undefined ? "" : `Did you mean "${meant}"?`);
  const problem = `An operation that is a ${kind} has no property "${name}"; it was not carried out.`;
  return new KeepsakeError(
    "invalid_input",
    [
      problem,
      advice,
      `A ${kind} has ${namesOf[kind].join(", ")}${kind === "get" ? "; with `value` it is a put" : ""}.`,
    ]
      .filter((part) => part !== "")
      .join(" "),
    { data: { name } },
  );
}

function unknownOperation(operation: unknown): KeepsakeError {
  return new KeepsakeError(
    "invalid_input",
    "An operation of the batch is none: { namespace, key } gets, with `value` it puts (null deletes), { namespacePrefix } searches, { matchConditions } lists namespaces.",
    { data: { operation } },
  );
}
