import { CliError } from "./errors.ts";

/**
 * A namespace as it is written on the command line: `/a/b` is split at `/`, `["a","b"]` is a JSON array, anything else is one label. There
 * is no way to say "everything".
 */
export function parseNamespace(text: string): string[] {
  if (text.startsWith("[")) return parseArray(text);
  const labels = text.startsWith("/") ? text.slice(1).split("/") : [text];
  if (labels.every((label) => label !== "")) return labels;
  throw new CliError(
    "usage",
    `"${text}" is no namespace: a label is empty. Write for example /memories/asha, without a slash at the end.`,
  );
}

/** The namespace as one can type it: `/a/b` where no label holds a `/`, else a JSON array. */
export function formatNamespace(namespace: readonly string[]): string {
  const isPath = namespace.length > 0 && namespace.every((label) => label !== "" && !label.includes("/"));
  return isPath ? `/${namespace.join("/")}` : JSON.stringify(namespace);
}

function parseArray(text: string): string[] {
  const labels = parsed(text);
  const valid =
    Array.isArray(labels) &&
    labels.length > 0 &&
    labels.every((label) => typeof label === "string" && label !== "");
  if (valid) return labels;
  throw new CliError(
    "usage",
    `${text} is no namespace: what begins with "[" must be a JSON array of one or more strings, such as ["memories","asha"].`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
