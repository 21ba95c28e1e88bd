import { viewOf } from "../../../src/index.ts";
import type { Limits } from "../limits.ts";
import type { Wire } from "./format.ts";

/**
 * What a window may have although a provider refuses it, because the app put it there and nothing may leave for it:
 *
 * - a system message behind others, where the list had it so: system messages never leave
 * - an assistant's message in front, where the list began with it, where there is no user message behind it, or where messages are cut one
 *   by one (`boundary: "message"`)
 * - two messages of one role in a row: only Bedrock minds, and what stood between them was invalid, or left behind a message that stays
 * - words before a result within one message: no message is rewritten
 * - a call id that is used again, but in Anthropic's and Bedrock's own messages: all others take it, and finished exchanges stay
 *
 * And a summary block that is plain text where the list has no message whose format it could take.
 */
export function allowed(
  list: readonly Wire[],
  window: readonly unknown[],
  survived: readonly number[],
  { boundary }: Limits,
): (rule: string, index: number) => boolean {
  const roles = list.map(({ message }) => viewOf(message).role);
  const isSpoken = (role: string | undefined): boolean =>
    role === "human" || role === "ai" || role === "tool";
  const firstSpoken = roles.findIndex(isSpoken);
  const lateSystem = roles.some(
    (role, index) => role === "system" && firstSpoken >= 0 && index > firstSpoken,
  );
  const leading = survived.find((index) => isSpoken(roles[index]));
  // The same object, not the same place: one that occurs twice may stay at either.
  const ledBefore = leading !== undefined && list[leading]?.message === list[firstSpoken]?.message;
  const hasTurn = window.map(viewOf).some(({ startsTurn, results }) => startsTurn && results.length === 0);
  return (rule, index) => {
    switch (rule) {
      case "system-in-the-middle":
        return lateSystem;
      case "first-not-user":
      case "start":
        return boundary === "message" || ledBefore || !hasTurn;
      case "empty":
        return leading === undefined;
      case "roles-alternate":
      case "result-after-text":
        return true;
      case "duplicate-call":
        return !isUnique(window[index]);
      default:
        return false;
    }
  };
}

/** True for messages whose provider refuses a call id that occurs twice. */
const isUnique = (message: unknown): boolean =>
  /"(?:type":"tool_use"|toolUse":)/.test(JSON.stringify(message));
