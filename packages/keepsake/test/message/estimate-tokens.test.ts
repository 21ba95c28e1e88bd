import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/message/index.ts";

const data = `data:image/png;base64,${"A".repeat(400_000)}`;

describe("estimateTokens", () => {
  it("is 0 for nothing, and grows with the text", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens(null)).toBe(0);
    expect(estimateTokens("hello")).toBeGreaterThan(0);
    expect(estimateTokens("hello ".repeat(100))).toBeGreaterThan(estimateTokens("hello ".repeat(50)));
  });

  it.each([
    [{ type: "image_url", image_url: { url: data } }],
    [{ type: "image", source: { data } }],
    [{ type: "input_image", image_url: data }],
    [{ type: "file", file: { file_data: data } }],
    [{ type: "input_audio", input_audio: { data } }],
  ])("counts a medium by a fixed cost, never by its bytes: $type", (part) => {
    const tokens = estimateTokens({ role: "user", content: [part] });
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThan(5000);
  });

  it("counts the names and arguments of calls once", () => {
    const args = JSON.stringify({ text: "word ".repeat(800) });
    const openAi = estimateTokens({
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", function: { name: "f", arguments: args } }],
    });
    expect(openAi).toBeGreaterThan(estimateTokens(args));
    expect(openAi).toBeLessThan(estimateTokens(args) + 20);
    const block = { type: "tool_use", id: "c", name: "f", input: JSON.parse(args) };
    const twice = estimateTokens({
      type: "ai",
      content: [block],
      tool_calls: [{ id: "c", name: "f", args: JSON.parse(args) }],
    });
    expect(twice).toBeLessThan(estimateTokens(args) + 20);
  });

  it("counts scripts by what they cost", () => {
    expect(estimateTokens("日本語の文章".repeat(100))).toBeGreaterThan(300);
    expect(estimateTokens("👩‍👩‍👧‍👦".repeat(10))).toBeGreaterThan(50);
  });
});
