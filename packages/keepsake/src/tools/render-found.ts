import type { FoundMemory } from "./types.ts";

/** How much of what was found is shown. */
export interface RenderLimits {
  readonly maxChars: number;
  /** Where in all results the first item stands. */
  readonly offset: number;
}

/**
 * Found items as a JSON array of at most `maxChars` characters. What does not fit is left out, and a last element says how many
 * were and where to go on. The first item is always there, with the beginning of its content where the whole is too long.
 */
export function renderFound(items: readonly FoundMemory[], { maxChars, offset }: RenderLimits): string {
  const texts = items.map((item) => JSON.stringify(entryOf(item)));
  const whole = arrayOf(texts);
  if (whole.length <= maxChars) return whole;
  for (let shown = items.length - 1; shown >= 1; shown -= 1) {
    const page = arrayOf([...texts.slice(0, shown), ...restAfter(shown, items.length, offset)]);
    if (page.length <= maxChars) return page;
  }
  const [first] = items;
  if (first === undefined) return whole;
  const rest = restAfter(1, items.length, offset);
  const page = (characters: number): string =>
    arrayOf([JSON.stringify(cutEntry(first, characters)), ...rest]);
  return page(mostThatFit((characters) => page(characters).length <= maxChars, maxChars));
}

function entryOf(item: FoundMemory): Record<string, unknown> {
  return {
    namespace: item.namespace,
    key: item.key,
    value: item.value,
    created_at: timeOf(item.createdAt),
    updated_at: timeOf(item.updatedAt),
    score: item.score ?? null,
  };
}

/** Some stores return times as text. */
function timeOf(time: Date | string): string {
  return typeof time === "string" ? time : time.toISOString();
}

function restAfter(shown: number, found: number, offset: number): string[] {
  return found > shown ? [JSON.stringify({ omitted: found - shown, next_offset: offset + shown })] : [];
}

function cutEntry(item: FoundMemory, characters: number): Record<string, unknown> {
  const { content = item.value } = item.value;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  // Half of a surrogate pair would be shown as an escape.
  const beginning = text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
  return { ...entryOf(item), value: { content: `${beginning}…` }, cut: true };
}

/** The largest number up to `most` that fits, or 0. */
function mostThatFit(fits: (count: number) => boolean, most: number): number {
  let least = 0;
  let limit = most;
  while (least < limit) {
    const middle = Math.ceil((least + limit) / 2);
    if (fits(middle)) least = middle;
    else limit = middle - 1;
  }
  return least;
}

function arrayOf(texts: readonly string[]): string {
  return `[${texts.join(",")}]`;
}
