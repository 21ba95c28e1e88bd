import { viewOf } from "keepsake";
import { describe, expect, it } from "vitest";
import {
  conversation,
  nextQuestion,
  toChatMessage,
  toLangChainMessage,
  toModelMessage,
} from "./conversation.ts";
import { FORMATS } from "./formats.ts";
import { keepsakeSubject, WINDOW_TOKENS } from "./subjects.ts";

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

  describe.each(FORMATS)("as $name", ({ write }) => {
    const views = write(lines).map(viewOf);
    const spoken = lines.filter(({ role }) => role !== "system");

    it("has what is said, in its order", () => {
      const said = views.map(({ text }) => text).join("\n");
      let at = 0;
      for (const { text } of spoken) {
        at = said.indexOf(text, at);
        expect(at).toBeGreaterThanOrEqual(0);
        at += text.length;
      }
    });

    it("answers every call that waits for an answer, but the last", () => {
      const calls = views.flatMap((view) => view.calls);
      const results = views.flatMap((view) => view.results);
      expect(calls.slice(0, results.length)).toEqual(results);
      expect(calls.length - results.length).toBeLessThanOrEqual(1);
    });

    it("has the user's turns", () => {
      const turns = spoken.filter(({ role }) => role === "user");
      expect(views.filter(({ startsTurn }) => startsTurn)).toHaveLength(turns.length);
      expect(write([nextQuestion(200, 0)])).toHaveLength(1);
    });

    it("is cut to the bench's window by its tokens", async () => {
      const subject = keepsakeSubject({ name: "", write }, 1_000, "tokens");
      subject.prepare(1);
      const { surviving, overBudget } = (await subject.turn(0)) as {
        surviving: object[];
        overBudget: boolean;
      };
      expect(overBudget).toBe(false);
      const tokens = surviving.reduce((sum, message) => sum + (viewOf(message).text.length >> 2), 0);
      expect(tokens).toBeGreaterThan(0.7 * WINDOW_TOKENS);
      expect(tokens).toBeLessThanOrEqual(WINDOW_TOKENS);
    });
  });

  it("goes on with a new question at each repetition", () => {
    expect(nextQuestion(200, 0).id).not.toBe(nextQuestion(200, 1).id);
  });
});
