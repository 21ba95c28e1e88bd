import type { ModelAnswer } from "../models/types.ts";
import { asJson, salvageJson } from "../salvage.ts";

/** What could be read of an answer. */
export interface ReadAnswer<T> {
  readonly value: T;
  /** False where it breaks off. */
  readonly isComplete: boolean;
}

/**
 * The value that an answer holds: where several do, as with models that think aloud, the last that is whole. Undefined where none can be
 * read.
 */
export function readAnswer<T>(
  answer: ModelAnswer,
  read: (value: unknown) => T | undefined,
): ReadAnswer<T> | undefined {
  const candidates =
    answer.value === undefined
      ? salvageJson(answer.text ?? "")
      : [
          {
            value:
              typeof answer.value === "string" ? salvageJson(answer.value)[0]?.value : asJson(answer.value),
            complete: true,
          },
        ];
  const readable = candidates.flatMap(({ value, complete }) => {
    const result = read(value);
    return result === undefined ? [] : [{ value: result, isComplete: complete }];
  });
  return readable.findLast(({ isComplete }) => isComplete) ?? readable.at(-1);
}

/** An answer as it is shown to the model again. */
export function shownAnswer(answer: ModelAnswer): string {
  const text = answer.text ?? JSON.stringify(answer.value) ?? "";
  const cut = text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text;
  return cut.replaceAll("<", "‹");
}
