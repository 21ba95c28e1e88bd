import { estimateTokens } from "../../message/index.ts";
import type { TranscriptMessage } from "../types.ts";
import { transcriptLines } from "./transcript-lines.ts";

/** Estimated tokens of a transcript that one call shows a model: with the prompts and the answer it fits a context of 32 000. */
const partTokens = 16_000;

/** A transcript in as many pieces as a model needs to be shown it, each of whole messages. Most are one. */
export function transcriptParts(
  transcript: readonly TranscriptMessage[],
): readonly (readonly TranscriptMessage[])[] {
  const parts: TranscriptMessage[][] = [];
  let room = 0;
  for (const message of transcript) {
    const tokens = estimateTokens(transcriptLines([message]));
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
