/** The tag around memories in a prompt. Its own, so that an app may have `<memories>` of its own around it. */
const tagName = "recalled_memories";

/** What stands before rendered memories. */
export const openingTag: string = `<${tagName}>`;

/** What stands behind them. */
export const closingTag: string = `</${tagName}>`;

/** How the line of each memory begins. */
export const entryPrefix = "- [";

/** Tags as rendered, or with their brackets escaped any number of times. What is bounded costs no more where a tag never ends. */
const tagPattern: RegExp = new RegExp(
  `(<|&(?:amp;)*lt;)\\s{0,20}(/?)\\s{0,20}${tagName}\\b[^<>]{0,200}?(?:>|&(?:amp;)*gt;|$)`,
  "gi",
);

interface Tag {
  readonly closes: boolean;
  readonly start: number;
  readonly end: number;
  /** The next tag with the same bracket: a block within a block is escaped once more, and has another. */
  next: Tag | undefined;
}

/**
 * Removes memories that were rendered into a prompt, so that what was recalled is not taken for news. Of a block without its end, or without
 * its beginning, the lines that are memories go; the text around them stays as it is. Linear in the length of the text.
 */
export function stripRendered(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { closes, start, end, next } of tagsIn(text)) {
    if (start < from) continue;
    const before = text.slice(from, start);
    kept.push(closes ? withoutLastEntries(before) : before);
    if (closes) from = end;
    else from = next?.closes ? next.end : endOfEntries(text, end, next?.start ?? text.length);
  }
  return kept.join("") + text.slice(from);
}

function tagsIn(text: string): Tag[] {
  const last = new Map<string, Tag>();
  return Array.from(text.matchAll(tagPattern), ({ 0: whole, 1: bracket = "", 2: slash, index }) => {
    const tag: Tag = { closes: slash === "/", start: index, end: index + whole.length, next: undefined };
    const previous = last.get(bracket);
    if (previous !== undefined) previous.next = tag;
    last.set(bracket, tag);
    return tag;
  });
}

/** Where the block that begins before `from` ends, for want of a tag: behind the sentence that opens it and the memories below. */
function endOfEntries(text: string, from: number, limit: number): number {
  let end = from;
  let isOpening = true;
  while (end < limit) {
    const newline = text.indexOf("\n", end);
    const lineEnd = newline < 0 || newline >= limit ? limit : newline + 1;
    const line = text.slice(end, lineEnd).trim();
    if (!isOpening && !isRendered(line)) break;
    isOpening &&= line === "";
    end = lineEnd;
  }
  return end;
}

/** True for the line of a memory, and for what is left of one, or of the closing tag, where the text was cut. */
function isRendered(line: string): boolean {
  return line.startsWith(entryPrefix) || entryPrefix.startsWith(line) || closingTag.startsWith(line);
}

function withoutLastEntries(text: string): string {
  let end = text.length;
  for (;;) {
    const start = end < 2 ? 0 : text.lastIndexOf("\n", end - 2) + 1;
    const line = text.slice(start, end).trim();
    if (end === 0 || !(line === "" || line.startsWith(entryPrefix))) return text.slice(0, end);
    end = start;
  }
}
