import { untilAborted } from "../../util/index.ts";
import type { MemoryModel, ModelAnswer, ModelRequest } from "./types.ts";

/** What was asked of a model, once it has answered or failed. */
export interface ModelCall {
  readonly purpose: "extract" | "repair" | "consolidate" | "manage" | "search";
  /** The model's name. */
  readonly model: string;
  /** Where the provider says. */
  readonly tokens: ModelAnswer["tokens"];
  /** What the provider threw. */
  readonly error?: unknown;
}

/** Asks a model, and tells of it. Rejects as soon as the signal of the request is aborted, whatever the model makes of that. */
export async function callModel(
  model: MemoryModel,
  request: ModelRequest,
  purpose: ModelCall["purpose"],
  onCall: ((call: ModelCall) => void) | undefined,
): Promise<ModelAnswer> {
  let answer: ModelAnswer;
  try {
    answer = await untilAborted(model.generate(request), request.signal);
  } catch (error) {
    onCall?.({ purpose, model: model.name, tokens: undefined, error });
    throw error;
  }
  onCall?.({ purpose, model: model.name, tokens: answer.tokens });
  return answer;
}
