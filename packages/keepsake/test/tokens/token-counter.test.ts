import fc from "fast-check";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, vi } from "vitest";
import { MessageReducer } from "../../src/index.ts";
import { type Tokenizer, tokenCounter } from "../../src/tokens/index.ts";

const text =
  "Honestly, I can't believe it's already November; we've 3 flights to book! 窓側の席をお願いします。 👩🏽‍💻\n";

/** A tokeniser that counts characters, and tells what it was given. */
function spyTokenizer(): Tokenizer & { given: string[] } {
  const given: string[] = [];
  return {
    given,
    countTokens: (part) => {
      given.push(part);
      return part.length;
    },
  };
}

describe("tokenCounter", () => {
  it("counts a text as gpt-tokenizer does, in o200k unless told otherwise", async () => {
    const counter = await tokenCounter();
    const older = await tokenCounter({ encoding: "cl100k_base" });
    expect(counter(text)).toBe(o200k.countTokens(text));
    expect(older(text)).toBe(cl100k.countTokens(text));
    expect(counter(text)).not.toBe(older(text));
    expect(counter("")).toBe(0);
  });

  it("counts text, reasoning, names and arguments once, and 4 for each message and call", async () => {
    const counter = await tokenCounter();
    const count = (part: string): number => o200k.countTokens(part);
    const args = JSON.stringify({ city: "Lisbon", nights: 3 });
    expect(counter({ role: "user", content: text })).toBe(4 + count(text));
    expect(
      counter({
        role: "assistant",
        content: text,
        tool_calls: [{ id: "c1", type: "function", function: { name: "book_hotel", arguments: args } }],
      }),
    ).toBe(4 + count(text) + 4 + count("book_hotel") + count(args));
    expect(
      counter({
        role: "assistant",
        content: [
          { type: "thinking", thinking: text, signature: "x" },
          { type: "tool_use", id: "c1", name: "book_hotel", input: JSON.parse(args) },
        ],
      }),
    ).toBe(4 + count(text) + 4 + count("book_hotel") + count(args));
  });

  it("counts media by a fixed cost", async () => {
    const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(100_000)}` } };
    const message = { role: "user", content: [{ type: "text", text }, picture] };
    const standard = await tokenCounter();
    const cheap = await tokenCounter({ mediaTokens: { image: 85 } });
    expect(standard(message)).toBe(4 + o200k.countTokens(text) + 1000);
    expect(cheap(message)).toBe(4 + o200k.countTokens(text) + 85);
  });

  it("takes what looks like a special token as text", async () => {
    const counter = await tokenCounter();
    const special = "before <|endoftext|><|im_start|> after";
    expect(counter({ role: "user", content: special })).toBe(
      4 + o200k.countTokens(special, { disallowedSpecial: new Set() }),
    );
    expect(counter.isWithinLimit([special], 1000)).toBe(counter(special));
  });

  it("is 0 for what cannot be read, and throws at nothing", async () => {
    const counter = await tokenCounter({ tokenizer: spyTokenizer() });
    for (const value of [null, undefined, 4, true, [], () => 1]) expect(counter(value)).toBe(0);
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(Number.isInteger(counter(value))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("counts for a reducer", async () => {
    const counter = await tokenCounter();
    const messages = Array.from({ length: 20 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `${index}: ${text}`,
    }));
    const reducer = new MessageReducer({ maxTokens: 300, tokenCounter: counter });
    const { surviving, pruned, overBudget } = await reducer.reduce({ existing: messages });
    expect(overBudget).toBe(false);
    expect(pruned.length).toBeGreaterThan(0);
    const left = counter.isWithinLimit(surviving, 300);
    expect(left).toBeGreaterThan(150);
    expect(counter.isWithinLimit(messages, 300)).toBe(false);
  });

  it("counts a message once, and again when it has changed", async () => {
    const tokenizer = spyTokenizer();
    const counter = await tokenCounter({ tokenizer });
    const message = { role: "user", content: "one" };
    expect([counter(message), counter(message), counter.isWithinLimit([message], 10)]).toEqual([7, 7, 7]);
    expect(tokenizer.given).toEqual(["one"]);
    message.content = "three";
    expect(counter(message)).toBe(9);
    expect(tokenizer.given).toEqual(["one", "three"]);
  });

  it("two counters do not take each other's counts", async () => {
    const message = { role: "user", content: "one" };
    const one = await tokenCounter({ tokenizer: { countTokens: () => 1 } });
    const other = await tokenCounter({ tokenizer: { countTokens: () => 2 } });
    expect([one(message), other(message), one(message)]).toEqual([5, 6, 5]);
  });
});

describe("isWithinLimit", () => {
  it("gives the tokens together where they are at most the limit, else false", async () => {
    const counter = await tokenCounter({ tokenizer: spyTokenizer() });
    const messages = ["abc", { role: "user", content: "12345" }];
    expect(counter.isWithinLimit(messages, 12)).toBe(12);
    expect(counter.isWithinLimit(messages, 11)).toBe(false);
    expect(counter.isWithinLimit([], 0)).toBe(0);
    expect(counter.isWithinLimit(messages, Number.POSITIVE_INFINITY)).toBe(12);
  });

  it("looks at no message behind the place where the limit is passed", async () => {
    const counter = await tokenCounter({ tokenizer: spyTokenizer() });
    let seen = 0;
    function* endless(): Generator<string> {
      for (;;) {
        seen += 1;
        yield "0123456789";
      }
    }
    expect(counter.isWithinLimit(endless(), 35)).toBe(false);
    expect(seen).toBe(4);
  });

  it("stops within a long message, and counts it whole when asked to", async () => {
    const tokenizer = spyTokenizer();
    const counter = await tokenCounter({ tokenizer });
    const content = "word ".repeat(20_000);
    const message = {
      role: "user",
      content: [
        { type: "text", text: content },
        { type: "text", text: content },
      ],
    };
    expect(counter.isWithinLimit([message], 2000)).toBe(false);
    expect(tokenizer.given.join("").length).toBeLessThan(4000);
    expect(counter(message)).toBe(4 + 2 * content.length);
  });

  it("agrees with the sum of the counts", async () => {
    const counter = await tokenCounter({ tokenizer: spyTokenizer() });
    const message = fc.record({
      role: fc.constantFrom("user", "assistant"),
      content: fc.string({ maxLength: 40 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.nat(300), (messages, limit) => {
        const copies = structuredClone(messages);
        const sum = copies.reduce((tokens, one) => tokens + counter(one), 0);
        expect(counter.isWithinLimit(messages, limit)).toBe(sum <= limit ? sum : false);
      }),
      { numRuns: 200 },
    );
  });

  it.each([Number.NaN, -1, undefined, "many"])("refuses the limit %s", async (limit) => {
    const counter = await tokenCounter({ tokenizer: spyTokenizer() });
    expect(() => counter.isWithinLimit([], limit as number)).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });
});

describe("what tokenCounter refuses", () => {
  it.each([
    [{ encoding: "o200k" }, /encoding must be "o200k_base" or "cl100k_base", not "o200k"/],
    [{ tokenizer: {} }, /tokenizer must be an object with the function countTokens/],
    [{ mediaTokens: 85 }, /mediaTokens must be an object/],
    [{ model: "gpt-4o" }, /unknown option "model"/],
  ])("%j", async (options, message) => {
    await expect(tokenCounter(options as never)).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(message),
    });
  });

  it("a version of gpt-tokenizer that cannot count", async () => {
    vi.doMock("gpt-tokenizer/encoding/cl100k_base", () => ({ countTokens: undefined }));
    try {
      await expect(tokenCounter({ encoding: "cl100k_base" })).rejects.toMatchObject({
        code: "missing_dependency",
        message: expect.stringContaining("has no countTokens"),
      });
    } finally {
      vi.doUnmock("gpt-tokenizer/encoding/cl100k_base");
    }
  });
});
