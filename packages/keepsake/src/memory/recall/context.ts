import type { Namespace, Store } from "../../store/index.ts";
import { checkOptions, isCount } from "../../util/index.ts";
import { normalText } from "../engine/identity.ts";
import { memoryText } from "../record.ts";
import { renderMemories } from "../render/render-memories.ts";
import { recall, recallOptionKinds } from "./recall.ts";
import type { ContextOptions, RecallMatch, RecallSettings } from "./types.ts";

/** So many memories are recalled for a prompt where no limit is given: the tokens decide. */
const defaultLimit = 20;

/**
 * The memories that answer a query best as one block for a prompt: the most relevant first, what says the same once, as many as fit. The
 * empty string where there are none.
 *
 * @throws {KeepsakeError} as {@link recall}
 */
export async function recallContext(
  store: Store,
  settings: RecallSettings,
  query: string,
  namespace: Namespace,
  options: ContextOptions = {},
): Promise<string> {
  checkOptions("context", options, { ...recallOptionKinds, maxTokens: isCount(0) });
  const { maxTokens = 2000, limit = defaultLimit, ...others } = options;
  const matches = await recall(store, settings, query, namespace, { ...others, limit });
  return renderMemories(distinct(matches), { maxTokens });
}

/** Without those that say in the same words what a better one says. */
function distinct(matches: readonly RecallMatch[]): RecallMatch[] {
  const seen = new Set<string>();
  return matches.filter(({ record }) => {
    const words = normalText(memoryText(record.content));
    if (seen.has(words)) return false;
    seen.add(words);
    return true;
  });
}
