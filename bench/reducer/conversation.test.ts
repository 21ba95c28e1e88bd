import { viewOf } from "keepsake";
import { describe, expect, it } from "vitest";
import {
  conversation,
  nextQuestion,
  toChatMessage,
  toLangChainMessage,
  toModelMessage,
} from "./conversation.ts";

describe("the conversation of the bench", () => {
  const lines = conversation(200);

  it("is the same in every run", () => {
    expect(conversation(200)).toEqual(lines);
  });

  it("is the same for keepsake as OpenAI chat and as LangChain objects", () => {
    const facts = (message: unknown): unknown => {
      const { role, id, text, calls, results } = viewOf(message);
      return { role, id, text, calls, results };
    };
    expect(lines.map(toChatMessage).map(facts)).toEqual(lines.map(toLangChainMessage).map(facts));
  });

  it("has the same roles, texts and calls as AI SDK messages", () => {
    for (const line of lines) {
      const message = toModelMessage(line);
      expect(message.role).toBe(line.role);
      expect(JSON.stringify(message.content)).toContain(line.text);
      if (line.call !== undefined) expect(JSON.stringify(message.content)).toContain(line.call);
    }
  });

  it("answers every call directly behind it", () => {
    lines.forEach((line, index) => {
      if (line.role === "tool") expect(lines[index - 1]?.call).toBe(line.call);
      if (line.role === "assistant" && line.call !== undefined)
        expect(lines[index + 1]?.role ?? "tool").toBe("tool");
    });
  });

  it("goes on with a new question at each repetition", () => {
    expect(nextQuestion(200, 0).id).not.toBe(nextQuestion(200, 1).id);
  });
});
