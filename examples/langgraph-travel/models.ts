// The two models of the example, without a network: one talks, one finds facts. Both see nothing but what they are sent.
import assert from "node:assert/strict";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import type { ModelFunction } from "keepsake/memory";
import { request } from "./conversation.ts";

/** What the model says to a question about the user: what its prompt holds, else that it does not know. */
function answerFrom(prompt: string, question: string): string {
  const known: [RegExp, RegExp, string][] = [
    [/seat/, /aisle seat/, "The aisle seat, as always."],
    [/allergic/, /allergic to peanuts/, "To peanuts."],
    [/miles/, /Star Alliance/, "With Star Alliance."],
  ];
  const [, fact, answer] = known.find(([asked]) => asked.test(question)) ?? [];
  if (fact === undefined) return "There is a lot to see.";
  return fact.test(prompt) ? String(answer) : "I do not know.";
}

function reply(messages: readonly BaseMessage[]): AIMessage {
  const last = messages.at(-1);
  assert.ok(last !== undefined);
  if (last.type === "tool") return new AIMessage("I will remember it.");
  if (last.text === request) {
    const args = { content: "Collects miles with Star Alliance." };
    return new AIMessage({ content: "", tool_calls: [{ name: "manage_memory", args, id: "call-1" }] });
  }
  return new AIMessage(answerFrom(messages[0]?.text ?? "", last.text));
}

/** A chat model that answers so many times. */
export function chatModel(answers = 60) {
  const model = fakeModel();
  for (let count = 0; count < answers; count += 1) model.respond(reply);
  return model;
}

/** Stands for a small language model: it finds what a user says of herself in the transcript that it is shown, and is asked about nothing else. */
export const factModel: ModelFunction = ({ prompt, schemaName }) => {
  if (schemaName === "decisions") return { decisions: [] };
  const lines = prompt.split("\n").filter((line) => line.startsWith('{"id":'));
  const said: { id: string; from: string; text: string }[] = lines.map((line) => JSON.parse(line));
  const own = said.filter(({ from, text }) => from === "user" && /^(I|My) /.test(text));
  const facts = own.map(({ id, text }) => ({ content: `Asha: ${text}`, messages: [id], subject: "Asha" }));
  return { facts };
};
