import { describe, expect, it } from "vitest";
import { KeepsakeError } from "../../src/errors/index.ts";
import { contentIds, MessageReducer } from "../../src/reducer/index.ts";
import { recordingLogger } from "./histories.ts";

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
    [
      { logger: { warn: () => {} } },
      /logger must be an object with the functions debug and warn, not an object with warn\./,
    ],
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

describe("an input that would be an empty list by mistake", () => {
  const reducer = new MessageReducer();
  it.each<[unknown, RegExp]>([
    [
      [{ role: "user", content: "hi" }],
      /reduce: the input must be an object, not an array: reduce\(\{ existing: messages \}\)/,
    ],
    [undefined, /not undefined/],
    [null, /not null/],
    ["hi", /not string/],
    [{ messages: [] }, /unknown field "messages"\. Did you mean "existing"\?/],
    [{ exisiting: [] }, /unknown field "exisiting"\. Did you mean "existing"\?/],
    [{ existing: [], thread_id: "t" }, /"thread_id"\. Did you mean "threadId"\?/],
    [{ existing: [], colour: 1 }, /"colour"\. Known are existing, new/],
  ])("reduce(%j)", async (input, message) => {
    const refused = { code: "invalid_input", message: expect.stringMatching(message) };
    await expect(reducer.reduce(input as never)).rejects.toMatchObject(refused);
    expect(() => reducer.reduceSync(input as never)).toThrow(message);
  });

  it.each<[unknown, RegExp]>([
    [[], /handOver: the input must be an object, not an array: handOver\(\{ messages: messages \}\)/],
    [undefined, /not undefined/],
    [{ existing: [] }, /unknown field "existing"\. Did you mean "messages"\?/],
    [{ messages: [], namespce: ["a"] }, /Did you mean "namespace"\?/],
  ])("handOver(%j)", async (input, message) => {
    const refused = { code: "invalid_input", message: expect.stringMatching(message) };
    await expect(reducer.handOver(input as never)).rejects.toMatchObject(refused);
  });

  it("is not one without lists, or with fields that are left out", async () => {
    await expect(reducer.reduce({})).resolves.toMatchObject({ surviving: [] });
    const input = { existing: null, messages: undefined } as never;
    await expect(reducer.reduce(input)).resolves.toMatchObject({ surviving: [] });
  });
});

describe("an identify that makes no ids", () => {
  it.each<[string, unknown, RegExp]>([
    ["contentIds, not called", contentIds, /identify returned a function.*identify: contentIds\(\)/],
    ["numbers", () => 7, /identify returned a number.*Return a string/],
  ])("is warned about once: %s", async (_, identify, warning) => {
    const logger = recordingLogger();
    const reducer = new MessageReducer({ identify: identify as never, logger });
    for (const existing of [[{ role: "user", content: "a" }], [{ role: "user", content: "b" }]])
      await reducer.reduce({ existing });
    expect(logger.warnings).toEqual([expect.stringMatching(warning)]);
  });
});

it("says once that the user's words left with broken results", async () => {
  const logger = recordingLogger();
  const reducer = new MessageReducer<object>({ logger });
  const words = {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "gone", content: "r" },
      { type: "text", text: "stop, do X instead" },
    ],
  };
  const existing = [{ role: "user", content: "hi" }, { role: "assistant", content: "ok" }, words];
  for (let call = 0; call < 2; call += 1)
    expect((await reducer.reduce({ existing })).pruned).toEqual([words]);
  expect(logger.warnings).toEqual([expect.stringContaining("Pass the words as a message of their own")]);
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
