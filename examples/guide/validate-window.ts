// What providers refuse in a window, and what to do about two messages of one role in a row.
import assert from "node:assert/strict";
// #region validate
import { validateWindow } from "keepsake";

const violations = validateWindow(
  [
    { role: "user", content: "How warm is it in Lisbon?" },
    { role: "tool", tool_call_id: "call_1", content: "21 °C" },
  ],
  { provider: "anthropic" }, // default: "any"
);
violations[0]?.rule; // "orphan-result"
violations[0]?.index; // 1
violations[0]?.message; // 'messages[1] answers "call_1", which the turn before it does not call.'
violations[0]?.fix; // "Remove it."
// #endregion

assert.deepEqual(violations, [
  {
    rule: "orphan-result",
    index: 1,
    message: 'messages[1] answers "call_1", which the turn before it does not call.',
    fix: "Remove it.",
  },
]);

// #region bedrock
interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly object[];
}

/** Makes one message of those of one role that follow each other. */
function alternating(window: readonly Turn[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role, content } of window) {
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, content });
    else turns.splice(-1, 1, { role, content: [...last.content, ...content] });
  }
  return turns;
}
// #endregion

const window: readonly Turn[] = [
  { role: "user", content: [{ text: "I am vegetarian." }] },
  { role: "user", content: [{ text: "How warm is it in Lisbon?" }] },
  { role: "assistant", content: [{ toolUse: { toolUseId: "a", name: "weather", input: {} } }] },
  { role: "user", content: [{ toolResult: { toolUseId: "a", content: [{ text: "21 °C" }] } }] },
  { role: "user", content: [{ text: "And in Porto?" }] },
];
const rulesBroken = (messages: readonly unknown[]): string[] =>
  validateWindow(messages, { provider: "bedrock" }).map(({ rule }) => rule);
assert.deepEqual(rulesBroken(window), ["roles-alternate", "roles-alternate"]);
assert.deepEqual(rulesBroken(alternating(window)), []);
assert.equal(alternating(window).length, 3);
