// Runs the tables of docs/window.md: each row is a configuration, a conversation and the window that is left of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MessageReducer, type ReducerConfig } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly notation: string;
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly args: object }[];
  readonly tool_call_id?: string;
}

const roles: Readonly<Record<string, string>> = {
  S: "system",
  U: "user",
  A: "assistant",
  T: "tool",
  F: "function",
  X: "critic",
};

/** `U` → a user message, `A[a,b]` → an assistant's with two calls, `T(a)` → the result of one, `U_` → a blank one. */
function messageOf(notation: string): Message {
  const [, letter = "", , calls, result] = /^(\w)(_?)(?:\[(.*)\]|\((.*)\))?$/.exec(notation) ?? [];
  const role = roles[letter];
  assert.ok(role, notation);
  return {
    role,
    content: notation.endsWith("_") || calls ? "" : "text",
    notation,
    ...(calls && { tool_calls: calls.split(",").map((id) => ({ id, name: "look_up", args: {} })) }),
    ...(result && { tool_call_id: result }),
  };
}

function configOf(text: string): ReducerConfig<Message> {
  return text === "" ? {} : JSON.parse(`{${text.replace(/(\w+):/g, '"$1":')}}`);
}

const source = readFileSync(join(import.meta.dirname, "../../docs/window.md"), "utf8");
// What providers refuse is no table of windows.
const page = source.replace(/^\| rule \|.*(?:\n\|.*)*/m, "");
const rows = [...page.matchAll(/^\| .* \| `([^`]*)` \| `([^`]*)` \| `([^`]*)`( over budget)? \|$/gm)];
const tables = page.match(/^\|---/gm)?.length ?? 0;
const lines = page.match(/^\|/gm)?.length ?? 0;
assert.equal(rows.length, lines - 2 * tables, "every row can be read");

for (const [row, config = "", conversation = "", expected, overBudget] of rows) {
  const reducer = new MessageReducer<Message>({
    tokenCounter: () => 10,
    ...configOf(config.replace("{}", "")),
  });
  const existing = conversation.split(" ").map(messageOf);
  const result = await reducer.reduce({ existing });
  assert.equal(result.surviving.map(({ notation }) => notation).join(" ") || "∅", expected, row);
  assert.equal(result.overBudget, overBudget !== undefined, row);
  assert.equal(result.surviving.length + result.pruned.length, existing.length, row);
}
