import { isPlainObject } from "../../util/index.ts";
import type { ModelFunction } from "./inputs.ts";
import type { MemoryModel, ModelAnswer } from "./types.ts";

const answerKeys: readonly string[] = ["value", "text", "tokens"];

/** A model that is a function of the app. */
export function functionModel(ask: ModelFunction): MemoryModel {
  return {
    name: ask.name || "function",
    generate: async (request) => {
      request.signal?.throwIfAborted();
      const answer = await ask(request);
      if (typeof answer === "string") return { text: answer };
      return isModelAnswer(answer) ? answer : { value: answer };
    },
  };
}

function isModelAnswer(answer: unknown): answer is ModelAnswer {
  if (!isPlainObject(answer)) return false;
  const keys = Object.keys(answer);
  return keys.every((key) => answerKeys.includes(key)) && ("value" in answer || "text" in answer);
}
