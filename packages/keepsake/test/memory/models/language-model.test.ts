import { generateObject, generateText, Output } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, test, vi } from "vitest";
import { memoryModel } from "../../../src/memory/index.ts";
import { request } from "./request.ts";

type Result = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;

function answering(text: string, finish: "stop" | "length" | "content-filter" = "stop"): MockLanguageModelV3 {
  const result: Result = {
    content: text === "" ? [] : [{ type: "text", text }],
    finishReason: { unified: finish, raw: finish },
    usage: {
      inputTokens: { total: 12, noCache: 12, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 3, text: 3, reasoning: 0 },
    },
    warnings: [],
  };
  return new MockLanguageModelV3({ modelId: "mock", doGenerate: result });
}

const tokens = { input: 12, output: 3 };
const good = '{"facts":["tea"]}';
/** Each way to be asked. */
const ways = {
  "the package ai": (model: MockLanguageModelV3) => memoryModel(model),
  "the app's generateObject": (model: MockLanguageModelV3) => memoryModel({ model, generateObject }),
  "the app's generateText with Output": (model: MockLanguageModelV3) =>
    memoryModel({ model, generateText, Output }),
  "the app's generateText": (model: MockLanguageModelV3) => memoryModel({ model, generateText }),
};

describe.each(Object.entries(ways))("an AI SDK model through %s", (way, through) => {
  test("gives what it answered, and the tokens", async () => {
    const model = answering(good);
    const answer = await through(model).generate(request());
    expect(answer.tokens).toEqual(tokens);
    expect(answer.value ?? JSON.parse(answer.text ?? "")).toEqual({ facts: ["tea"] });
    const [call] = model.doGenerateCalls;
    expect(call?.prompt.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(JSON.stringify(call)).toContain("I like tea.");
    expect(JSON.stringify(way.endsWith("generateText") ? call?.prompt : call?.responseFormat)).toContain(
      "additionalProperties",
    );
    expect(through(model).name).toBe("mock");
  });

  test.each([
    ["prose", "I cannot do that.", "stop"],
    ["an answer that breaks off", '{"facts":["te', "length"],
    ["JSON in a fence", `\`\`\`json\n${good}\n\`\`\``, "stop"],
    ["nothing", "", "content-filter"],
  ] as const)("gives %s as text, with the tokens that it cost", async (_name, text, finish) => {
    const answer = await through(answering(text, finish)).generate(request());
    expect(answer).toEqual({ text, tokens });
  });

  test("passes the signal on, and the provider's error back", async () => {
    const model = new MockLanguageModelV3({
      doGenerate: async () => {
        throw new Error("401 no key");
      },
    });
    await expect(through(model).generate(request())).rejects.toThrow("401 no key");
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(through(model).generate(request({ signal }))).rejects.toThrow("stop");
    const heard = answering(good);
    await through(heard).generate(request({ signal: new AbortController().signal }));
    expect(heard.doGenerateCalls[0]?.abortSignal).toBeInstanceOf(AbortSignal);
  });
});

test("an id of a model is handed to the AI SDK as it is", async () => {
  const asked = vi.fn(async () => ({ object: { facts: [] }, usage: { inputTokens: 1, outputTokens: 1 } }));
  const model = memoryModel({ model: "openai/gpt-5", generateObject: asked });
  expect(await model.generate(request())).toEqual({ value: { facts: [] }, tokens: { input: 1, output: 1 } });
  expect(asked).toHaveBeenCalledWith(expect.objectContaining({ model: "openai/gpt-5", schemaName: "facts" }));
  expect(model.name).toBe("openai/gpt-5");
  expect(memoryModel("openai/gpt-5").name).toBe("openai/gpt-5");
});
