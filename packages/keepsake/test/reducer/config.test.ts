import { describe, expect, it } from "vitest";
import { KeepsakeError } from "../../src/errors/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";

function refusal(config: unknown): KeepsakeError {
  try {
    Reflect.construct(MessageReducer, [config]);
  } catch (error) {
    if (KeepsakeError.isInstance(error)) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(config)} was accepted`);
}

describe("configuration that cannot work", () => {
  it.each<[unknown, RegExp]>([
    [{ minMessages: 30 }, /minMessages \(30\) is more than maxMessages \(20\)/],
    [{ minMessages: 3, maxMessages: 2 }, /minMessages \(3\)/],
    [{ maxMessages: -1 }, /maxMessages must be a whole number.*not -1/],
    [{ maxMessages: 2.5 }, /not 2\.5/],
    [{ maxMessages: Number.NaN }, /not NaN/],
    [{ maxMessages: Number.POSITIVE_INFINITY }, /null for no limit/],
    [{ maxMessages: "20" }, /not "20"/],
    [{ minMessages: null }, /minMessages.*not null/],
    [{ maxTokens: 0 }, /maxTokens.*from 1 on/],
    [{ maxTokens: 10, targetTokens: 11 }, /targetTokens \(11\) is more than maxTokens \(10\)/],
    [{ targetTokens: 11 }, /needs maxTokens/],
    [{ maxMessageTokens: 0 }, /maxMessageTokens must be a whole number from 1 on, not 0/],
    [{ maxTokens: 10, maxMessageTokens: 11 }, /maxMessageTokens \(11\) is more than maxTokens \(10\)/],
    [{ summaryTimeoutMs: 0 }, /summaryTimeoutMs must be a whole number from 1 to/],
    [{ summaryTimeoutMs: 2 ** 31 }, /summaryTimeoutMs/],
    [{ injectSummary: true }, /injectSummary needs summarize/],
    [{ onPrune: ["remember"] }, /onPrune must be an array of functions, not \["remember"\]/],
    [{ onPrune: () => {} }, /onPrune must be an array of functions/],
    [{ boundary: "word" }, /boundary must be "turn" or "message", not "word"/],
    [{ onHookError: "throw" }, /onHookError/],
    [{ preserveFirst: 1 }, /preserveFirst must be true or false/],
    [{ pin: ["m1"] }, /pin must be a function/],
    [{ dedupeWindow: 0 }, /dedupeWindow/],
    [{ hookTimeoutMs: 2 ** 31 }, /hookTimeoutMs/],
    [{ namespaceKey: "" }, /namespaceKey/],
    [{ logger: {} }, /logger must be an object/],
    [{ max_messages: 20 }, /"max_messages". Did you mean "maxMessages"\?/],
    [{ summarize_fn: () => "" }, /Did you mean "summarize"\?/],
    [{ summary_message_factory: () => [] }, /Did you mean "summaryMessages"\?/],
    [{ on_prune: [] }, /Did you mean "onPrune"\?/],
    [{ maxMesages: 20 }, /Did you mean "maxMessages"\?/],
    [{ colour: "red" }, /unknown option "colour". Known are maxMessages/],
    [null, /must be an object, not null/],
    [20, /must be an object, not 20/],
    [[20], /must be an object/],
  ])("%j", (config, message) => {
    const error = refusal(config);
    expect(error.code).toBe("invalid_config");
    expect(error.message).toMatch(message);
  });

  it.each([
    [{}],
    [undefined],
    [{ maxMessages: null }],
    [{ maxMessages: 4 }],
    [{ maxMessages: 0 }],
    [{ minMessages: 15 }],
    [{ minMessages: 25, maxTokens: 1000 }],
    [{ maxTokens: 100, targetTokens: 100 }],
    [{ maxTokens: 100, maxMessageTokens: 100 }],
    [{ maxMessageTokens: 1 }],
    [{ maxMessages: undefined, onPrune: undefined }],
  ])("is not %j", (config) => {
    expect(() => new MessageReducer(config)).not.toThrow();
  });

  it("is a list that is no list", async () => {
    await expect(new MessageReducer().reduce({ existing: "hello" as never })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(() => new MessageReducer().reduceSync({ new: {} as never })).toThrow(/new must be an array/);
  });
});

describe("a second copy of keepsake", () => {
  it("recognises the errors of the first", () => {
    const foreign = Object.assign(new Error("x"), {
      code: "invalid_config",
      [Symbol.for("keepsake.error")]: true,
    });
    expect(KeepsakeError.isInstance(foreign)).toBe(true);
    expect(foreign instanceof KeepsakeError).toBe(true);
    expect(KeepsakeError.isInstance(new Error("x"))).toBe(false);
    expect(KeepsakeError.isInstance(null)).toBe(false);
  });
});
