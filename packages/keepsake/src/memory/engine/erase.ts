import { KeepsakeError } from "../../errors/index.ts";
import { type Namespace, reservedRoot } from "../../store/index.ts";
import { checkOptions, type OptionKind } from "../../util/index.ts";
import type { EngineCore } from "./core.ts";
import { markErased } from "./marks.ts";
import { otherSpaces } from "./spaces.ts";
import type { EraseOptions } from "./types.ts";

const isErasables: OptionKind = [
  "a list of outboxes",
  (value) => Array.isArray(value) && value.every((one) => typeof Object(one).erase === "function"),
];

/**
 * Removes everything that keepsake has of a namespace and of those below it; gives how many items. What remains is a note that something was
 * erased, without any content, for 30 days: so long a save that had begun before brings nothing back.
 */
export async function eraseNamespace(
  core: EngineCore,
  namespace: Namespace,
  options: EraseOptions = {},
): Promise<number> {
  checkOptions("erase", options, { outboxes: isErasables });
  const { store, settings, reporter } = core;
  // What waits in an outbox first: a worker would make memories of it again.
  let count = 0;
  for (const outbox of options.outboxes ?? []) count += await outbox.erase([...namespace]);
  // Twice, as the tombstones go as well: the second mark, above the first, is what remains of them.
  const epoch = await markErased(store, namespace, settings.now());
  count += await store.deleteAll([reservedRoot, "tombstones", ...namespace]);
  await markErased(store, namespace, epoch + 1);
  for (const space of otherSpaces) count += await store.deleteAll([reservedRoot, space, ...namespace]);
  count += await store.deleteAll(namespace);
  reporter.emit({ type: "erased", namespace: [...namespace], count });
  return count;
}

/**
 * A checked copy of a namespace.
 *
 * @throws {KeepsakeError} `invalid_namespace`
 */
export function ownNamespace(namespace: unknown, what: string): string[] {
  const isList =
    Array.isArray(namespace) && namespace.every((label) => typeof label === "string" && label !== "");
  if (isList && namespace.length > 0 && namespace[0] !== reservedRoot) return namespace.map(String);
  throw new KeepsakeError(
    "invalid_namespace",
    `${what} needs a namespace, a list of one or more strings such as ["memories", userId], but got ${namespace === undefined ? "undefined" : JSON.stringify(namespace)}. It says whose memory it is.`,
    { data: { namespace } },
  );
}
