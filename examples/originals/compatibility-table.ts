// The framework compatibility table of agentstate-reducer, row by row: no format needs a conversion.
import assert from "node:assert/strict";
import {
  AIMessage,
  HumanMessage,
  mapStoredMessageToChatMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { MessageReducer, viewOf } from "keepsake";

class Utterance {
  readonly type: string;
  readonly content: string;
  constructor(type: string, content: string) {
    this.type = type;
    this.content = content;
  }
}

const table: readonly (readonly [format: string, message: unknown, role: string])[] = [
  ["a plain object with role", { role: "ai", content: "Hello" }, "ai"],
  ["OpenAI's format", { role: "user", content: "Hello" }, "human"],
  ["an agent framework's format", { role: "agent", content: "Hello" }, "ai"],
  ["a plain object with type", { type: "ai", content: "Hello" }, "ai"],
  ["LangChain's AIMessage", new AIMessage("Hello"), "ai"],
  ["LangChain's HumanMessage", new HumanMessage("Hello"), "human"],
  ["LangChain's SystemMessage", new SystemMessage("Hello"), "system"],
  ["LangChain's ToolMessage", new ToolMessage({ content: "Hello", tool_call_id: "call_1" }), "tool"],
  ["LangChain's stored messages", new AIMessage("Hello").toDict(), "ai"],
  ["LangChain's messages as JSON", JSON.parse(JSON.stringify(new HumanMessage("Hello"))), "human"],
  ["any object with a type attribute", new Utterance("human", "Hello"), "human"],
];

for (const [format, message, role] of table) {
  const view = viewOf(message);
  assert.equal(view.role, role, format);
  assert.equal(view.text, "Hello", format);
}

// All of them in one list: those of the user and the assistant are pruned, the oldest first; the others stay.
const reducer = new MessageReducer({ maxMessages: 8, minMessages: 2, preserveFirst: false, repair: false });
const formats = table.map(([, message]) => message);
const latest = [
  { role: "user", content: "And now?" },
  { role: "assistant", content: "Now, too." },
];
const { surviving, pruned } = await reducer.reduce({ existing: formats, new: latest });
assert.deepEqual(
  surviving.map((message) => viewOf(message).role),
  ["system", "human", "ai"],
);
assert.equal(surviving.length + pruned.length, formats.length + latest.length);
assert.ok(surviving.every((message) => formats.includes(message) || latest.some((one) => one === message)));

// What was stored can be read back after it was pruned.
assert.equal(mapStoredMessageToChatMessage(new AIMessage("Hello").toDict()).text, "Hello");
