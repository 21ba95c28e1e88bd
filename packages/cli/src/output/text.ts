/** Text of strangers on a terminal: no control sequences, the right width, cut between characters only. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this file is about.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const bidirectionalControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const loneSurrogates = /\p{Surrogate}/gu;

/**
 * Text that a terminal shows as it is: control characters become visible stand-ins, those that reverse the direction of writing are
 * left out, half surrogate pairs become `�`. Newlines stay.
 */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", " ")
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(controls, standIn)
    .replace(bidirectionalControls, "")
    .replace(loneSurrogates, "�");
}

/** The same on one line: white space, newlines included, becomes one space. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/gu, " ").trim();
}

/** U+2400 onwards has a picture for each of the ASCII control characters. */
function standIn(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : "�";
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const withoutWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** How many terminal columns a text takes: two for a wide character, none for a combining mark. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return withoutWidth.test(grapheme) ? 0 : 1;
}

/** The text in at most `width` columns, the end replaced by `…` where it does not fit. */
export function truncate(text: string, width: number): string {
  // Only the beginning of a huge text is looked at; a character of a language takes a few code units per column.
  const head = text.length > width * 16 ? text.slice(0, width * 16) : text;
  let used = 0;
  let end = 0;
  for (const { segment, index } of segmenter.segment(head)) {
    used += graphemeWidth(segment);
    if (used > width) return `${head.slice(0, end)}…`;
    if (used <= width - 1) end = index + segment.length;
  }
  return head.length < text.length ? `${head.slice(0, end)}…` : head;
}

/** The text, followed by as many spaces as fill `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Lines of at most `width` columns, broken at spaces where there are any; at most `maxLines`, the last one cut with `…`. */
export function wrap(text: string, width: number, maxLines: number): string[] {
  const lines: string[] = [];
  let rest = oneLine(text);
  while (rest !== "") {
    if (lines.length === maxLines - 1) {
      lines.push(truncate(rest, width));
      break;
    }
    const end = lineEnd(rest, width);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

/** Where a line of at most `width` columns ends: after the last space that fits, else after the last character that fits. */
function lineEnd(text: string, width: number): number {
  const head = text.slice(0, width * 16);
  let used = 0;
  let lastFit = 0;
  let lastBreak = 0;
  for (const { segment, index } of segmenter.segment(head)) {
    if (segment === " ") lastBreak = index;
    const columns = graphemeWidth(segment);
    if (used + columns > width) return lastBreak > 0 ? lastBreak : Math.max(lastFit, 1);
    if (columns === 2) lastBreak = index + segment.length;
    used += columns;
    lastFit = index + segment.length;
  }
  return lastFit;
}
