// Tokens as OpenAI's models count them.
import assert from "node:assert/strict";
// #region exact
import { MessageReducer } from "keepsake";
import { tokenCounter } from "keepsake/tokens";

const counter = await tokenCounter({ encoding: "o200k_base" });
const reducer = new MessageReducer({ maxTokens: 400, tokenCounter: counter });
// #endregion

const sentence = "The quick brown fox jumps over the lazy dog. ".repeat(5);
const messages = Array.from({ length: 10 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `${index}: ${sentence}`,
}));
const { surviving } = await reducer.reduce({ existing: messages });
assert.equal(counter({ role: "user", content: "Which seat is this?" }), 9);

// #region limit
const tokens = counter.isWithinLimit(messages, 400); // the tokens of all, or false
if (tokens === false) {
  // More than 400; what is behind that place was not counted.
}
// #endregion
assert.equal(tokens, false);
assert.notEqual(counter.isWithinLimit(surviving, 400), false);
