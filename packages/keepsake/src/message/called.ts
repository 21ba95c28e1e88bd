import type { Reading } from "./reading.ts";

/** A call that waits for its result. */
export interface WaitingCall {
  readonly id: string;
  readonly name: string | undefined;
}

/**
 * The id of the call that an answer is for: the one with its id. Where the call or the answer came without an id, the first call of the
 * tool that the answer names; where it names none, the only call that waits, if it came without an id too.
 */
export function calledBy(
  { parts, view }: Pick<Reading, "parts" | "view">,
  answer: string,
  waiting: readonly WaitingCall[],
): string | undefined {
  if (waiting.some(({ id }) => id === answer)) return answer;
  const tool = parts.find((part) => part.answers === answer)?.tool ?? view.name ?? "";
  const isMadeUp = isOrdinal(answer, tool);
  if (isMadeUp && tool === "" && waiting.length > 1) return undefined;
  return waiting.find(
    ({ id, name = "" }) =>
      (name === tool && (isMadeUp || isOrdinal(id, name))) ||
      (tool === "" && isMadeUp && isOrdinal(id, name)),
  )?.id;
}

/** True for an id that was made up from the name of a tool: `<name>#<ordinal>`. */
export function isOrdinal(id: string, name: string): boolean {
  return id.startsWith(`${name}#`) && /^\d+$/.test(id.slice(name.length + 1));
}
