import { KeepsakeError } from "../errors/index.ts";
import { isRecord } from "../util/index.ts";

/** What an operation of a batch asks for. LangGraph's operations carry no tag: the properties that are present tell. */
export type OperationKind = "get" | "put" | "delete" | "search" | "list";

/**
 * The kind of a batch operation.
 *
 * @throws {KeepsakeError} `invalid_input` for what is none.
 */
export function operationKind(operation: unknown): {
  kind: OperationKind;
  operation: Record<string, unknown>;
} {
  if (!isRecord(operation)) throw unknownOperation(operation);
  if ("namespacePrefix" in operation) return { kind: "search", operation };
  if ("matchConditions" in operation) return { kind: "list", operation };
  if ("namespace" in operation && "key" in operation) {
    if (!("value" in operation)) return { kind: "get", operation };
    return { kind: operation.value === null ? "delete" : "put", operation };
  }
  const lists = ["limit", "offset", "maxDepth"].some((name) => name in operation);
  if (lists && !("namespace" in operation) && !("key" in operation)) return { kind: "list", operation };
  throw unknownOperation(operation);
}

function unknownOperation(operation: unknown): KeepsakeError {
  return new KeepsakeError(
    "invalid_input",
    "An operation of the batch is none: { namespace, key } gets, with `value` it puts (null deletes), { namespacePrefix } searches, { matchConditions } lists namespaces.",
    { data: { operation } },
  );
}
