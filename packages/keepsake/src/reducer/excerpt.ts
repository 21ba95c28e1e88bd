import { hash128 } from "../util/index.ts";

/** How far to look back for a character that surely begins a grapheme, and ahead for the end of one. */
const reach = 64;
/** Markers that are looked at in a text: it may quote others. */
const maxMarkers = 16;

const marker = /\n\[\.\.\. (\d+) characters left out \(keepsake ([0-9a-f]{16})\) \.\.\.\]\n/g;

/**
 * The beginning and the end of a text, at most `kept` UTF-16 code units in all, cut between graphemes, and between them a marker that says
 * how many are missing. A checksum in it tells an excerpt from a text that quotes one.
 */
export function excerptOf(text: string, kept: number): string {
  const headEnd = boundaryAt(text, Math.ceil(kept / 2), false);
  const tailStart = boundaryAt(text, text.length - Math.floor(kept / 2), true);
  const head = text.slice(0, headEnd);
  const tail = text.slice(tailStart);
  const left = String(tailStart - headEnd);
  return `${head}\n[... ${left} characters left out (keepsake ${checksum(left, head, tail)}) ...]\n${tail}`;
}

/** True for a text that {@link excerptOf} has made, as it was made. */
export function isExcerpt(text: string): boolean {
  let markers = 0;
  for (const { 0: whole, 1: left = "", 2: sum, index } of text.matchAll(marker)) {
    markers += 1;
    if (markers > maxMarkers) return false;
    if (checksum(left, text.slice(0, index), text.slice(index + whole.length)) === sum) return true;
  }
  return false;
}

function checksum(left: string, head: string, tail: string): string {
  return hash128(JSON.stringify([left, head, tail])).slice(0, 16);
}

let segmenter: Intl.Segmenter | undefined;

/** The boundary between graphemes at a place in a text, or the next one before or after it. Only what is around is segmented: long texts take too long. */
function boundaryAt(text: string, at: number, isAfter: boolean): number {
  if (at <= 0 || at >= text.length) return at;
  let start = at - 1;
  while (start > 0 && at - start < reach && text.charCodeAt(start) > 127) start -= 1;
  segmenter ??= new Intl.Segmenter();
  const { index = 0, segment = "" } =
    segmenter.segment(text.slice(start, at + reach)).containing(at - start) ?? {};
  const boundary = start + index;
  return isAfter && boundary < at ? boundary + segment.length : boundary;
}
