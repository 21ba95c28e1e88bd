import { fakeModel } from "@langchain/core/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { memoryModel } from "../../../src/memory/index.ts";
import { request } from "./request.ts";

afterEach(() => {
  vi.doUnmock("ai");
  vi.doUnmock("langchain/chat_models/universal");
  vi.resetModules();
});

describe("a model by its name", () => {
  test("is made by langchain at the first call, once", async () => {
    const initChatModel = vi.fn(async (_name: string) => fakeModel().structuredResponse({ facts: ["tea"] }));
    vi.doMock("langchain/chat_models/universal", () => ({ initChatModel }));
    const model = memoryModel("acme:big-model");
    expect(initChatModel).not.toHaveBeenCalled();
    expect(await model.generate(request())).toEqual({ value: { facts: ["tea"] } });
    await model.generate(request());
    expect(initChatModel.mock.calls).toEqual([["acme:big-model"]]);
    expect(model.name).toBe("acme:big-model");
  });

  test("is tried again where it could not be made", async () => {
    const initChatModel = vi
      .fn()
      .mockRejectedValueOnce(new Error("no key"))
      .mockResolvedValue(fakeModel().structuredResponse({ facts: [] }));
    vi.doMock("langchain/chat_models/universal", () => ({ initChatModel }));
    const model = memoryModel("acme:big-model");
    await expect(model.generate(request())).rejects.toThrow(/"acme:big-model" could not be made.*no key/);
    expect(await model.generate(request())).toEqual({ value: { facts: [] } });
  });

  test("needs the package of its provider", async () => {
    await expect(memoryModel("openai:gpt-5-mini").generate(request())).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringContaining('Run "npm install @langchain/openai"'),
      data: { package: "@langchain/openai", model: "openai:gpt-5-mini" },
    });
  });

  test("needs a provider that langchain knows", async () => {
    await expect(memoryModel("nobody:model").generate(request())).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("nobody:model"),
    });
  });

  test("needs langchain", async () => {
    vi.doMock("langchain/chat_models/universal", () => {
      throw new Error("Cannot find package 'langchain'");
    });
    await expect(memoryModel("openai:gpt-5-mini").generate(request())).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringContaining('Run "npm install langchain"'),
      data: { package: "langchain" },
    });
  });
});

describe("an AI SDK model without functions", () => {
  test.each([
    ["alone", { modelId: "m", doGenerate: async () => ({}) }],
    ["by its id", "openai/gpt-5"],
  ])("needs the package ai: %s", async (_name, model) => {
    vi.doMock("ai", () => {
      throw new Error("Cannot find package 'ai'");
    });
    await expect(memoryModel(model).generate(request())).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringContaining('Run "npm install ai"'),
      data: { package: "ai" },
    });
  });

  test("needs a version of it that has the functions", async () => {
    vi.doMock("ai", () => ({ generateObject: undefined, generateText: undefined }));
    await expect(memoryModel("openai/gpt-5").generate(request())).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringContaining("neither generateObject nor generateText"),
    });
  });
});
