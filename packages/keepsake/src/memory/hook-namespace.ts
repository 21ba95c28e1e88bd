import { namespaceLabels } from "../store/index.ts";

/**
 * The namespace that a hook is handed, which an app's config may hold otherwise than as labels: a string that begins with `/` is a path, any
 * other is one label, and a number is one. So recall and the memory tools read it. What is none of that is given back as it is.
 */
export function hookNamespace(namespace: unknown): unknown {
  if (typeof namespace === "string" && namespace !== "") return namespaceLabels(namespace);
  if (isNumber(namespace)) return [String(namespace)];
  if (!Array.isArray(namespace)) return namespace;
  return namespace.map((label: unknown) => (isNumber(label) ? String(label) : label));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
}
