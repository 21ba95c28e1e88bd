import { type MessageRole, type SummaryBlock, viewOf } from "../message/index.ts";

/** The text and the counts that a factory is called with: what it puts around them is what its blocks have in common. */
const sentinel = "keepsakeSummarySentinel";
/** One count stands for itself, since its text is often another ("1 message"); the other for every number. */
const counts = [1, 739] as const;
/** Characters of its own that a block must have, white space aside: with fewer, what somebody types could be taken for one. */
const leastOwnCharacters = 16;

/** A message of a block: its role, and what its text looks like. */
interface Part {
  readonly role: MessageRole;
  readonly pattern: RegExp;
  readonly ownCharacters: number;
}

/** What the blocks of a factory look like, for each of the counts. */
export type BlockTemplate = readonly (readonly Part[])[];

/**
 * Finds out what the blocks of a factory look like, so that they are known again wherever they come from. Empty where nothing tells them
 * from other messages: the summary is nowhere, or little is around it.
 */
export function templateOf(factory: (text: string, count: number) => readonly unknown[]): BlockTemplate {
  return counts.map((count) => partsOf(factory, count)).filter(isDistinct);
}

function partsOf(
  factory: (text: string, count: number) => readonly unknown[],
  count: number,
): readonly Part[] {
  try {
    return factory(sentinel, count).map((message) => {
      const { role, text } = viewOf(message);
      const own = text.replaceAll(sentinel, "").replaceAll(/\s/g, "");
      const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(sentinel, "([^]*)");
      const source = count === 1 ? escaped : escaped.replaceAll(String(count), "\\d+");
      return { role, pattern: new RegExp(`^${source}$`), ownCharacters: own.length };
    });
  } catch {
    return [];
  }
}

function isDistinct(parts: readonly Part[]): boolean {
  const own = parts.reduce((sum, { ownCharacters }) => sum + ownCharacters, 0);
  const holders = parts.filter(({ pattern }) => pattern.source.includes("([^]*)"));
  return holders.length === 1 && own >= leastOwnCharacters && parts.every(({ role }) => role !== "other");
}

/** Finds the blocks that a template fits. A latest user message alone is none: somebody may have typed it. */
export function findByTemplate(template: BlockTemplate, messages: readonly unknown[]): SummaryBlock[] {
  const latest = messages.findLastIndex((message) => viewOf(message).startsTurn);
  return messages.flatMap((_, start) => {
    for (const parts of template) {
      if (parts.length === 1 && start === latest) continue;
      const text = textAt(parts, messages, start);
      if (text !== undefined) return [{ indices: parts.map((_, offset) => start + offset), text }];
    }
    return [];
  });
}

/** The summary of the block that begins at an index; `undefined` where none does. */
function textAt(parts: readonly Part[], messages: readonly unknown[], start: number): string | undefined {
  let summary: string | undefined;
  for (const [offset, { role, pattern }] of parts.entries()) {
    const view = viewOf(messages[start + offset]);
    const match = view.role === role ? pattern.exec(view.text) : null;
    if (match === null) return undefined;
    summary ??= match[1];
  }
  return summary;
}
