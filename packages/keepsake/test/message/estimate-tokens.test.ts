import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, viewOf } from "../../src/message/index.ts";

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

  it.each([
    ["image", { type: "image_url", image_url: { url: data } }, 1000],
    ["audio", { type: "input_audio", input_audio: { data } }, 1000],
    ["video", { type: "video", source: { data } }, 4000],
    ["file", { type: "file", file: { file_data: data } }, 2000],
  ])("a medium of the kind %s costs what is said, or its default", (kind, part, standard) => {
    const nothing = estimateTokens({ role: "user", content: [] });
    const cost = (mediaTokens?: object): number =>
      estimateTokens({ role: "user", content: [part] }, { mediaTokens }) - nothing;
    expect(cost()).toBe(standard);
    expect(cost({})).toBe(standard);
    expect(cost({ [kind]: 77 })).toBe(77);
    expect(cost({ [kind]: 0 })).toBe(0);
    expect(cost({ other: 77 })).toBe(standard);
    expect(cost({ [kind]: undefined })).toBe(standard);
    expect(cost({ [kind]: Number.NaN })).toBe(standard);
    expect(cost({ [kind]: -1 })).toBe(standard);
  });

  it.each([null, {}, { image: null }, { image: Number.POSITIVE_INFINITY }, { image: "85" }, 7])(
    "ignores %j in place of what media cost",
    (mediaTokens) => {
      const options = { mediaTokens } as never;
      expect(estimateTokens("some words", options)).toBe(estimateTokens("some words"));
      const message = { role: "user", content: [{ type: "image_url", image_url: { url: data } }] };
      expect(estimateTokens(message, options)).toBe(estimateTokens(message));
    },
  );

  it("counts what an assistant said aloud as audio, with its transcript", () => {
    const spoken = { role: "assistant", content: null, audio: { id: "audio_1", transcript: "hello there" } };
    expect(viewOf(spoken)).toMatchObject({ role: "ai", text: "hello there" });
    expect(estimateTokens(spoken)).toBe(1000 + estimateTokens({ role: "assistant", content: "hello there" }));
    expect(estimateTokens(spoken, { mediaTokens: { audio: 50 } })).toBe(estimateTokens(spoken) - 950);
    const referred = { role: "assistant", content: "", additional_kwargs: { audio: { id: "audio_1" } } };
    expect(viewOf(referred).text).toBe("[audio]");
  });

  it.each([
    [
      "Anthropic's",
      (data: string) => ({ role: "assistant", content: [{ type: "redacted_thinking", data }] }),
    ],
    [
      "Bedrock's",
      (data: string) => ({
        role: "assistant",
        content: [{ reasoningContent: { redactedContent: new TextEncoder().encode(data) } }],
      }),
    ],
    ["OpenAI's", (data: string) => ({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: data })],
    ["a compaction's", (data: string) => ({ type: "compaction", encrypted_content: data })],
    [
      "OpenAI's, kept by Agents",
      (data: string) => ({ type: "reasoning", content: [], providerData: { encrypted_content: data } }),
    ],
  ])("counts a fifth of the characters of sealed reasoning: %s", (_, message) => {
    expect(estimateTokens(message("a".repeat(1000))) - estimateTokens(message(""))).toBe(200);
  });

  it("counts media within a result", () => {
    const result = (content: unknown): number =>
      estimateTokens(
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content }] },
        { mediaTokens: { image: 500 } },
      );
    const picture = { type: "image", source: { type: "base64", data } };
    const words = { type: "text", text: "two pictures" };
    expect(result([words, picture, picture]) - result([words])).toBeGreaterThanOrEqual(1000);
    expect(result([words, picture, picture]) - result([words])).toBeLessThan(1020);
    expect(result("the word [image] in a sentence")).toBeLessThan(20);
  });

  it("counts a placeholder that someone wrote as text", () => {
    expect(estimateTokens({ role: "user", content: "[image]" })).toBeLessThan(20);
  });

  it("counts base64 in a text as the text that it is", () => {
    expect(estimateTokens({ role: "user", content: data })).toBeGreaterThan(40_000);
  });

  it("counts arguments that are no JSON, and what has no text at all", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const call = (args: unknown): number =>
      estimateTokens({ role: "assistant", content: "", tool_calls: [{ id: "c", name: "f", args }] });
    expect(call({ at: new Date(0) })).toBeGreaterThan(call({}));
    for (const args of [cyclic, { big: 1n }, undefined, null, () => 1, Symbol("s")])
      expect(Number.isInteger(call(args))).toBe(true);
  });

  it("takes whatever stands where the options should", () => {
    for (const options of [0, 7, null, "x", [], { mediaTokens: null }] as never[])
      expect(estimateTokens("some words", options)).toBe(estimateTokens("some words"));
  });

  it("never throws, and gives whole tokens, for any value", () => {
    const content = fc.oneof(fc.anything(), fc.array(fc.record({ type: fc.string(), text: fc.anything() })));
    const message = fc.oneof(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      fc.string({ unit: "binary" }),
      fc.record({
        role: fc.constantFrom("user", "assistant", "tool", "x"),
        content,
        tool_calls: fc.anything(),
      }),
    );
    fc.assert(
      fc.property(message, (value) => {
        const tokens = estimateTokens(value);
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("a text costs no less than what it begins with", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        expect(estimateTokens(one + other)).toBeGreaterThanOrEqual(estimateTokens(one));
      }),
      { numRuns: 500 },
    );
  });

  // The numbers are o200k_base's counts of these very texts.
  it.each([
    ["words", "The quick brown fox jumps over the lazy dog. ", 100, 1001, 0.1],
    ["words of parts", "getUserNameById(parseHttpResponse) ", 100, 901, 0.15],
    ["capitals", "PLEASE READ THE MANUAL FIRST. ", 100, 701, 0.25],
    ["digits by three", "1234567890", 300, 1000, 0.2],
    ["numbers in a list", "12, 7, 198, 4031, ", 100, 1300, 0.15],
    ["codes of capitals and digits", "01J9ZK3W8QF4T7M2X5R6V0BNCD ", 100, 2400, 0.25],
    ["hexadecimal in capitals", "9F86D081884C7D659A2FEAA0C55AD015 ", 100, 2000, 0.3],
    ["indented lines", "        return value;\n", 200, 800, 0.25],
    ["a table", '| --- | --- |\n| "a" | {b} |\n', 100, 1400, 0.25],
    ["accents", "Übergrößenträger über Äcker. ", 100, 901, 0.35],
    ["flags", "🇩🇪🇯🇵🇵🇹", 100, 1200, 0.1],
    ["skin tones", "👍🏽👋🏻🙏🏾", 100, 900, 0.35],
    ["keycaps", "1️⃣2️⃣3️⃣", 100, 600, 0.35],
  ])("%s", (_, text, times, tokens, tolerance) => {
    expect(Math.abs(estimateTokens(text.repeat(times)) / tokens - 1)).toBeLessThanOrEqual(tolerance);
  });
});
