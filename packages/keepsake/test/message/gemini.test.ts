import { type Content, FunctionResponse, Language, Outcome } from "@google/genai";
import { describe } from "vitest";
import { itReads, type Row } from "./reading-table.ts";

const data = "A".repeat(1000);
const names = (entries: Record<string, string>) => ({ names: new Map(Object.entries(entries)) });
const response = Object.assign(new FunctionResponse(), {
  id: "c1",
  name: "f",
  response: { output: "21 °C" },
});

const rows = [
  [
    "a user's parts",
    {
      role: "user",
      parts: [
        { text: "see" },
        { inlineData: { mimeType: "image/png", data } },
        { fileData: { mimeType: "video/mp4", fileUri: "gs://x" } },
        { inlineData: { mimeType: "application/pdf", data } },
      ],
    },
    { role: "human", text: "see\n[image]\n[video]\n[file]", startsTurn: true },
  ],
  [
    "content without a role, the user's",
    { parts: [{ text: "hi" }] },
    { role: "human", text: "hi", startsTurn: true },
  ],
  [
    "thoughts and calls with ids",
    {
      role: "model",
      parts: [
        { text: "hm", thought: true },
        { text: "let me look" },
        { functionCall: { id: "c1", name: "f", args: { a: 1 } }, thoughtSignature: data },
      ],
    },
    {
      role: "ai",
      text: "let me look",
      thought: "hm",
      calls: ["c1"],
      nature: names({ c1: "f" }),
      made: [["f", { a: 1 }]],
    },
  ],
  [
    "calls without ids",
    {
      role: "model",
      parts: [
        { functionCall: { name: "f", args: { a: 1 } } },
        { functionCall: { name: "g" } },
        { functionCall: { name: "f", args: { a: 2 } } },
      ],
    },
    {
      role: "ai",
      calls: ["f#0", "g#0", "f#1"],
      nature: names({ "f#0": "f", "g#0": "g", "f#1": "f" }),
      made: [
        ["f", { a: 1 }],
        ["g", undefined],
        ["f", { a: 2 }],
      ],
    },
  ],
  [
    "a response with its id, an instance",
    { role: "user", parts: [{ functionResponse: response }] },
    { role: "human", text: "21 °C", results: ["c1"] },
  ],
  [
    "responses without ids",
    {
      role: "function",
      parts: [
        { functionResponse: { name: "f", response: { output: "one" } } },
        { functionResponse: { name: "f", response: { degrees: 21 } } },
        { functionResponse: { name: "g", response: { error: "oops" } } },
      ],
    },
    { role: "tool", text: 'one\n{"degrees":21}\noops', results: ["f#0", "f#1", "g#0"] },
  ],
  [
    "a response with a picture",
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            name: "f",
            response: { result: "see" },
            parts: [{ inlineData: { mimeType: "image/png", data } }],
          },
        },
      ],
    },
    { role: "human", text: "see\n[image]", results: ["f#0"] },
  ],
  [
    "a response next to words",
    { role: "user", parts: [{ functionResponse: { name: "f", response: {} } }, { text: "go on" }] },
    { role: "human", text: "{}\ngo on", results: ["f#0"], startsTurn: true },
  ],
  [
    "code that Gemini ran",
    {
      role: "model",
      parts: [
        { executableCode: { language: Language.PYTHON, code: "1+1" } },
        { codeExecutionResult: { outcome: Outcome.OUTCOME_OK, output: "2" } },
        { text: "two" },
      ],
    },
    { role: "ai", text: "2\ntwo", made: [["code", "1+1"]] },
  ],
  [
    "a signature alone",
    { role: "model", parts: [{ text: "", thoughtSignature: data }] },
    { role: "ai", blank: true },
  ],
  [
    "thoughts alone",
    { role: "model", parts: [{ text: "hm", thought: true }] },
    { role: "ai", thought: "hm", blank: true },
  ],
  ["no parts", { role: "user", parts: [] }, { role: "human", blank: true }],
] satisfies readonly (readonly [string, Content, Row[2]])[];

describe("Gemini's contents", () => {
  itReads(rows);
});
