import { dataLine, excerpt, timeForModel } from "../prompts.ts";
import type { TranscriptMessage } from "../types.ts";

/** Characters of a tool's result that a model is shown: most are long, and seldom worth it. */
const resultLength = 4_000;
const nameLength = 200;

const speakers: Readonly<Record<string, string>> = { human: "user", ai: "assistant", function: "tool" };

/** A transcript as a model is shown it: a line for each message, with a short label in place of its id. */
export function transcriptLines(transcript: readonly TranscriptMessage[]): string {
  return transcript
    .map(({ role, name, text, at }, index) =>
      dataLine({
        id: labelOf(index),
        from: speakers[role] ?? role,
        ...(name === undefined ? {} : { name: excerpt(name, nameLength) }),
        ...(at === undefined ? {} : { at: timeForModel(at) }),
        text: role === "tool" ? excerpt(text, resultLength) : text,
      }),
    )
    .join("\n");
}

/** The messages that labels name, in the order of the labels; what names none is left out. */
export function labelled(
  labels: unknown,
  transcript: readonly TranscriptMessage[],
): readonly TranscriptMessage[] {
  const list: readonly unknown[] = Array.isArray(labels) ? labels : [labels];
  const indices = list
    .map((label) => /^\s*\[?m?(\d{1,9})\]?\s*$/i.exec(String(label))?.[1])
    .map((number) => Number(number ?? 0) - 1);
  return [...new Set(indices)].flatMap((index) => transcript[index] ?? []);
}

function labelOf(index: number): string {
  return `m${index + 1}`;
}
