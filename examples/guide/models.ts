// Every kind of model, and what extraction and judgement make of its answers.
import assert from "node:assert/strict";
import { fakeModel } from "@langchain/core/testing";
import { generateObject } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import OpenAI from "openai";

const chatModel = fakeModel();
const languageModel = new MockLanguageModelV3({ modelId: "mock" });
const client = new OpenAI({ apiKey: "none", baseURL: "http://127.0.0.1:1/v1" });
const ask = async (_prompt: string): Promise<string> => '{"facts": []}';

// #region forms
import { memoryModel } from "keepsake/memory";

const models = [
  memoryModel("anthropic:claude-sonnet-5"), // by LangChain's initChatModel
  memoryModel(chatModel), // of LangChain
  memoryModel(languageModel), // of the AI SDK, by the package `ai`
  memoryModel({ model: languageModel, generateObject }), // the same, by your own import of it
  memoryModel({ client, model: "gpt-5-mini" }), // a client of OpenAI's, to whichever server
  memoryModel(async ({ system, prompt }) => ask(`${system}\n\n${prompt}`)), // anything else
];
// #endregion
assert.deepEqual(
  models.map(({ name }) => typeof name),
  models.map(() => "string"),
);

// #region extract
import { modelExtractor, transcriptOf } from "keepsake/memory";
import { scriptedModel } from "keepsake/testing";

const model = scriptedModel([
  // What models do write:
  'Sure! {"facts": [{"content": "Asha\'s booking code is QX7.", "messages": ["m2"], "importance": 0.9,},]}',
]);
const extract = modelExtractor(memoryModel(model), { instructions: "Codes and dates matter most." });

const transcript = transcriptOf([
  { role: "user", id: "a", name: "Asha", content: "What is my code?" },
  { role: "assistant", id: "b", content: "Your booking code is QX7." },
]);
const facts = await extract(transcript, {
  namespace: ["memories", "asha"],
  threadId: undefined,
  now: new Date(),
  signal: undefined,
});
// [{ content: "Asha's booking code is QX7.", importance: 0.9, role: "ai", messageIds: ["b"] }]
// #endregion
assert.deepEqual(facts, [
  { content: "Asha's booking code is QX7.", importance: 0.9, role: "ai", messageIds: ["b"] },
]);
assert.match(model.requests[0]?.system ?? "", /Codes and dates matter most\.$/);
