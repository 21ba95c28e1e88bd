// What keepsake reads in a message, whatever its format.
import assert from "node:assert/strict";
// #region views
import { viewOf } from "keepsake";

const question = viewOf({ role: "user", content: "How warm is it in Lisbon?", id: "m1" });
question.role; // "human"
question.startsTurn; // true: a window may start here

const call = viewOf({
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", function: { name: "weather", arguments: '{"city":"Lisbon"}' } }],
});
call.calls; // ["call_1"]

const result = viewOf({ role: "tool", tool_call_id: "call_1", content: "21 °C" });
result.results; // ["call_1"]

const picture = viewOf({
  role: "user",
  content: [
    { type: "text", text: "Where is this?" },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
  ],
});
picture.text; // "Where is this?\n[image]"

const item = viewOf({ type: "function_call_output", call_id: "call_1", output: "21 °C" });
item.results; // ["call_1"]

const content = viewOf({ role: "model", parts: [{ functionCall: { name: "weather", args: {} } }] });
content.calls; // ["weather#0"]
// #endregion

assert.equal(question.role, "human");
assert.equal(question.id, "m1");
assert.equal(question.startsTurn, true);
assert.deepEqual(call.calls, ["call_1"]);
assert.deepEqual(result.results, ["call_1"]);
assert.equal(picture.text, "Where is this?\n[image]");
assert.deepEqual(item.results, ["call_1"]);
assert.equal(item.role, "tool");
assert.deepEqual(content.calls, ["weather#0"]);

// Reasoning is not text; a message of nothing else says nothing and starts no turn.
assert.equal(viewOf({ role: "assistant", content: [{ type: "thinking", thinking: "Hm." }] }).text, "");
assert.equal(viewOf({ role: "user", content: " \n" }).startsTurn, false);

// Anything has a view; what cannot be read has the role `other` and no text.
for (const unreadable of [null, undefined, 42, "text", [], [{ role: "user" }]]) {
  assert.equal(viewOf(unreadable).role, "other");
  assert.equal(viewOf(unreadable).text, "");
}

// The id is read live, and content that was replaced or grew is read again.
const streamed: { role: string; content: string; id?: string } = { role: "assistant", content: "It" };
assert.equal(viewOf(streamed).text, "It");
streamed.content += " is warm.";
streamed.id = "late";
assert.equal(viewOf(streamed).text, "It is warm.");
assert.equal(viewOf(streamed).id, "late");

// So is the last part whose text grows, and a tool part of a UI message whose state changes.
const part = { type: "text", text: "It" };
const streamedPart = { role: "assistant", content: [part] };
assert.equal(viewOf(streamedPart).text, "It");
part.text += " is warm.";
assert.equal(viewOf(streamedPart).text, "It is warm.");
const toolPart = { type: "tool-weather", toolCallId: "c1", state: "input-available", output: "" };
const uiMessage = { id: "m2", role: "assistant", parts: [toolPart] };
assert.deepEqual(viewOf(uiMessage).calls, ["c1"]);
Object.assign(toolPart, { state: "output-available", output: "21 °C" });
assert.deepEqual(viewOf(uiMessage).calls, []);
assert.equal(viewOf(uiMessage).text, "21 °C");

// Another part that is changed in place is not.
const parts = [
  { type: "text", text: "before" },
  { type: "text", text: "behind" },
];
const inPlace = { role: "user", content: parts };
assert.equal(viewOf(inPlace).text, "before\nbehind");
parts[0] = { type: "text", text: "after" };
assert.equal(viewOf(inPlace).text, "before\nbehind");
