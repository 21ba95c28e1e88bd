import { describe, expect, test } from "vitest";
import { parseConversation } from "../src/conversation/parse-conversation.ts";

const ok = { role: "user", content: "hi" };
const refusal = (conversation: unknown): string => {
  const text = typeof conversation === "string" ? conversation : JSON.stringify(conversation);
  try {
    parseConversation(text, "chat.json");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "accepted";
};

describe("what is accepted", () => {
  test.each<[string, unknown]>([
    ["an array", [ok]],
    ["an object with messages", { id: 7, messages: [ok] }],
    ["nothing", []],
    [
      "parts",
      [{ role: "user", content: [{ type: "text", text: "a" }, "b", { type: "image_url", image_url: {} }] }],
    ],
    [
      "no content beside calls",
      [{ role: "assistant", content: null, tool_calls: [{ id: "c1", function: {} }] }],
    ],
    ["no content at all", [{ role: "assistant" }]],
    ["a type for a role", [{ type: "human", content: "hi" }]],
    ["a number for an id", [{ id: 12, ...ok }]],
    ["null for what is missing", [{ id: null, name: null, tool_calls: null, tool_call_id: null, ...ok }]],
    ["an unknown role", [{ role: "critic", content: "hm" }]],
    ["LangChain's toDict()", [{ type: "human", data: { content: "hi", id: "a" } }]],
    [
      "LangChain's toJSON()",
      [
        {
          lc: 1,
          type: "constructor",
          id: ["langchain_core", "messages", "HumanMessage"],
          kwargs: { content: "hi" },
        },
      ],
    ],
  ])("%s", (_, conversation) => {
    expect(refusal(conversation)).toBe("accepted");
  });
});

describe("what is refused, with the path of the bad element", () => {
  test.each<[unknown, string]>([
    [[ok, ok, null], "messages[2]: expected a message, an object, got null"],
    [[7], "messages[0]: expected a message, an object, got number 7"],
    [["hi"], 'messages[0]: expected a message, an object, got string "hi"'],
    [[[ok]], "messages[0]: expected a message, an object, got an array"],
    [
      [{ content: "hi" }],
      'messages[0]: a message needs a "role" (user, assistant, system, tool) or a "type" (human, ai)',
    ],
    [
      [{ role: 3, content: "hi" }],
      'messages[0].role: expected a string such as "user" or "assistant", got number 3',
    ],
    [
      [{ role: "" }],
      'messages[0].role: expected a string such as "user" or "assistant", got an empty string',
    ],
    [[{ role: null }], 'messages[0].role: expected a string such as "user" or "assistant", got null'],
    [[{ type: {} }], 'messages[0].type: expected a string such as "human" or "ai", got an object'],
    [
      [ok, { role: "user", content: 7 }],
      "messages[1].content: expected a string or an array of parts, got number 7",
    ],
    [
      [{ role: "user", content: true }],
      "messages[0].content: expected a string or an array of parts, got boolean true",
    ],
    [
      [{ role: "user", content: {} }],
      "messages[0].content: expected a string or an array of parts, got an object",
    ],
    [
      [{ role: "user", content: [{ type: "text", text: "a" }, null] }],
      "messages[0].content[1]: expected a part, an object or a string, got null",
    ],
    [
      [{ role: "user", content: [{ type: 1 }] }],
      "messages[0].content[0].type: expected a string, got number 1",
    ],
    [
      [{ role: "user", content: [{ type: "text" }] }],
      "messages[0].content[0].text: expected a string, got nothing",
    ],
    [[{ role: "user", id: {} }], "messages[0].id: expected a string, got an object"],
    [[{ role: "user", name: 1 }], "messages[0].name: expected a string, got number 1"],
    [
      [{ role: "assistant", tool_calls: {} }],
      "messages[0].tool_calls: expected an array of tool calls, got an object",
    ],
    [
      [{ role: "assistant", tool_calls: [null] }],
      "messages[0].tool_calls[0]: expected a tool call, an object, got null",
    ],
    [
      [{ role: "assistant", tool_calls: [{ id: "c1" }, {}] }],
      "messages[0].tool_calls[1].id: expected a string, which the tool's answer names, got nothing",
    ],
    [[{ role: "tool", tool_call_id: 1 }], "messages[0].tool_call_id: expected a string, got number 1"],
    [
      [{ type: "human", data: { content: 1 } }],
      "messages[0].data.content: expected a string or an array of parts, got number 1",
    ],
    [
      [{ lc: 1, type: "constructor", id: ["HumanMessage"], kwargs: { content: 1 } }],
      "messages[0].kwargs.content: expected a string or an array of parts, got number 1",
    ],
  ])("%j", (conversation, message) => {
    expect(refusal(conversation)).toBe(`chat.json: ${message}.`);
  });

  test.each<[unknown, string]>([
    [null, `expected an array of messages, or an object with an array "messages", got null`],
    ["7", `expected an array of messages, or an object with an array "messages", got number 7`],
    [{}, `expected an array of messages, or an object with an array "messages", got an empty object`],
    [
      { mesages: [ok], id: 1 },
      `expected an array of messages, or an object with an array "messages", got an object with "mesages", "id"`,
    ],
    [{ messages: {} }, "messages: expected an array of messages, got an object"],
  ])("a document that is %j", (document, message) => {
    expect(refusal(document)).toBe(`chat.json: ${message}.`);
  });

  test("JSON that is none, with line and column", () => {
    expect(refusal('[\n  {"role": "user" "content": "hi"}\n]')).toBe(
      'chat.json: line 2, column 19: not JSON: expected a comma or }, got "\\"".',
    );
  });

  test("one message per line, with what to do", () => {
    expect(refusal('{"role":"user"}\n{"role":"ai"}\n')).toBe(
      "chat.json: line 2, column 1: not JSON: there is more text after the end of the JSON value. One message per line? Put them into one array: jq -s . file",
    );
  });

  test("a long value is named by its beginning", () => {
    expect(refusal([{ role: "user", content: "a", tool_calls: "x".repeat(500) }])).toContain(
      `got string "${"x".repeat(30)}…"`,
    );
  });
});
