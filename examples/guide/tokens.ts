// A budget in tokens instead of messages.
import assert from "node:assert/strict";
// #region tokens
import { estimateTokens, MessageReducer } from "keepsake";

const reducer = new MessageReducer({
  maxTokens: 400, // more than this triggers pruning,
  targetTokens: 200, // down to at most this
  // tokenCounter: (message) => yourTokenizer(message)
});
// #endregion

const sentence = "The quick brown fox jumps over the lazy dog. ".repeat(5);
const messages = Array.from({ length: 10 }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `${index}: ${sentence}`,
}));
const tokens = messages.reduce((sum, message) => sum + estimateTokens(message), 0);
assert.ok(tokens > 400);
const { surviving, overBudget } = await reducer.reduce({ existing: messages });
assert.ok(surviving.reduce((sum, message) => sum + estimateTokens(message), 0) <= 200);
assert.equal(surviving[0], messages[0]);
assert.equal(surviving[1]?.role, "user");
assert.equal(overBudget, false);

// A picture costs what a picture costs, not what its bytes would as text.
// #region media
const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(400_000)}` } };
const question = { role: "user", content: [{ type: "text", text: "Which seat is this?" }, picture] };
estimateTokens(question); // 1009
estimateTokens(question, { mediaTokens: { image: 85 } }); // 94

const lowDetail = new MessageReducer({
  maxTokens: 8000,
  tokenCounter: (message) => estimateTokens(message, { mediaTokens: { image: 85 } }),
});
// #endregion
assert.equal(estimateTokens(question), 1009);
assert.equal(estimateTokens(question, { mediaTokens: { image: 85 } }), 94);
const turns = Array.from({ length: 20 }, () => ({ ...question }));
assert.deepEqual((await lowDetail.reduce({ existing: turns })).pruned, []);
