import { estimateTokens } from "../../message/index.ts";
import type { TranscriptMessage } from "../types.ts";
import { transcriptLines } from "./transcript-lines.ts";

/** Estimated tokens of a transcript that one call shows a model: with the prompts and the answer it fits a context of 32 000. */
const partTokens = 16_000;

/**
 * A transcript in as many parts as a model needs to be shown it; most are one. Messages stay whole where they can: one that is too long for a
 * part is shown in pieces, each with the id and the speaker of the message.
 */
export function transcriptParts(
  transcript: readonly TranscriptMessage[],
): readonly (readonly TranscriptMessage[])[] {
  const parts: TranscriptMessage[][] = [];
  let room = 0;
  for (const { message, tokens } of transcript.flatMap(piecesOf)) {
    const part = parts.at(-1);
    if (part === undefined || tokens > room) {
      parts.push([message]);
      room = partTokens - tokens;
    } else {
      part.push(message);
      room -= tokens;
    }
  }
  return parts;
}

interface Piece {
  readonly message: TranscriptMessage;
  readonly tokens: number;
}

/** Characters of a message that are not divided any further. */
const shortLength = 1000;

function piecesOf(message: TranscriptMessage): Piece[] {
  const { text } = message;
  const tokens = estimateTokens(transcriptLines([message]));
  if (tokens <= partTokens || text.length <= shortLength) return [{ message, tokens }];
  const end = endNearMiddle(text);
  return [text.slice(0, end), text.slice(end)].flatMap((piece) => piecesOf({ ...message, text: piece }));
}

/** Where a text may be divided, the best first: behind a paragraph, a line, a sentence, a word. */
const ends: readonly RegExp[] = [/\n\n+/g, /\n/g, /[.!?…]["'”’»)]*\s+|[。！？]+/g, /\s+/g];
/** How far before the middle an end is looked for. */
const searchedLength = 4000;

function endNearMiddle(text: string): number {
  const middle = Math.floor(text.length / 2);
  const start = Math.max(Math.floor(middle / 2), middle - searchedLength);
  const searched = text.slice(start, middle);
  for (const end of ends) {
    const last = [...searched.matchAll(end)].at(-1);
    if (last !== undefined) return start + last.index + last[0].length;
  }
  return /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle + 1 : middle;
}
