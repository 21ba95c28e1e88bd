import { describe, expect, test } from "vitest";
import { memoryModel } from "../../../src/memory/index.ts";
import { scriptedModel } from "../../../src/testing/index.ts";
import { request } from "./request.ts";

/** As an app without types would pass it. */
const untyped: (model: unknown) => unknown = (model) => Reflect.apply(memoryModel, undefined, [model]);

describe("memoryModel", () => {
  test.each<[string, unknown, unknown]>([
    ["text", '{"facts":[]}', { text: '{"facts":[]}' }],
    ["a value", { facts: [] }, { value: { facts: [] } }],
    [
      "an answer with tokens",
      { text: "x", tokens: { input: 1, output: 2 } },
      { text: "x", tokens: { input: 1, output: 2 } },
    ],
    [
      "a value that has a text beside other things",
      { text: "x", facts: [] },
      { value: { text: "x", facts: [] } },
    ],
    ["a list", ["a"], { value: ["a"] }],
    ["nothing", undefined, { value: undefined }],
  ])("takes a function that answers with %s", async (_name, answer, expected) => {
    expect(await memoryModel(() => answer).generate(request())).toEqual(expected);
  });

  test("takes a scripted model, and calls a function by its name", async () => {
    expect(await memoryModel(scriptedModel([{ facts: ["tea"] }])).generate(request())).toEqual({
      value: { facts: ["tea"] },
    });
    expect(memoryModel(function local() {}).name).toBe("local");
  });

  test("gives back what is a memory model already", () => {
    const own = { name: "own", generate: async () => ({ text: "" }) };
    expect(memoryModel(own)).toBe(own);
    expect(memoryModel(memoryModel(own))).toBe(own);
  });

  test("a function's error is the model's, and an aborted request is not made", async () => {
    const failing = memoryModel(() => Promise.reject(new Error("429")));
    await expect(failing.generate(request())).rejects.toThrow("429");
    let calls = 0;
    const counting = memoryModel(() => {
      calls += 1;
    });
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(counting.generate(request({ signal }))).rejects.toThrow("stop");
    expect(calls).toBe(0);
  });

  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /must be a LangChain chat model.* not undefined/],
    ["null", null, /not null/],
    ["a number", 5, /not 5/],
    ["an object of another kind", { apiKey: "secret-value", url: 1 }, /not an object with apiKey, url/],
    ["an empty object", {}, /an object without properties/],
    ["a list", [], /must be/],
    ["an empty name", "", /names no provider/],
    ["a name without a provider", "gpt-5", /"gpt-5" names no provider. Write "provider:model"/],
    ["a provider without a name", "openai:", /names no provider/],
    ["a client alone", { chat: { completions: { create() {} } } }, /Pass \{ client, model \}/],
    [
      "a client without a model",
      { client: { chat: { completions: { create() {} } } } },
      /no name of a model/,
    ],
    ["a function of the AI SDK without a model", { generateObject() {} }, /Pass \{ model, generateObject \}/],
  ])("refuses %s", (_name, model, message) => {
    expect(() => untyped(model)).toThrow(message);
    expect(() => untyped(model)).toThrow(expect.objectContaining({ code: "invalid_config" }));
    expect(() => untyped(model)).not.toThrow(/secret-value/);
  });
});
