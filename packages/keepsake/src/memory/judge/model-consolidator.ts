import { checkOptions, isFunction, isLogger, type Logger } from "../../util/index.ts";
import { callModel, type ModelCall } from "../models/model-call.ts";
import type { MemoryModel } from "../models/types.ts";
import { fillPrompt, isPrompts, type Prompts, promptsFrom, timeForModel } from "../prompts.ts";
import type { Consolidator, ModelContext } from "../types.ts";
import { decisionSchema, type RefusedDecision, readDecisions } from "./decisions.ts";
import { questionOf } from "./question.ts";

/** How {@link modelConsolidator} works. */
export interface ModelConsolidatorOptions {
  /** Added to the task. */
  readonly instructions?: string | undefined;
  /** Prompts in place of keepsake's own. */
  readonly prompts?: Partial<Prompts> | undefined;
  /** Told of decisions that were left out. Default none. */
  readonly logger?: Logger | undefined;
  /** Called after the call of the model. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
  /** Called for each decision that was left out; a reason quotes nothing of the answer. */
  readonly onRefused?: ((refusal: RefusedDecision, context: ModelContext) => void) | undefined;
}

/**
 * Decides with a model, in one call for all facts that have memories near them. What the answer does not say clearly is left out, so that the
 * fact is inserted: a decision about an unknown fact or memory, one of two that contradict each other, an answer that cannot be read. The
 * consolidator rejects with what the provider threw.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function modelConsolidator(model: MemoryModel, options: ModelConsolidatorOptions = {}): Consolidator {
  checkOptions("modelConsolidator", options, {
    instructions: ["a text", (value) => typeof value === "string"],
    prompts: isPrompts,
    logger: isLogger,
    onCall: isFunction,
    onRefused: isFunction,
  });
  const prompts = promptsFrom(options.prompts);
  return async (proposals, context) => {
    const { now, signal } = context;
    const question = questionOf(proposals);
    if (question.facts.size === 0) return [];
    const request = {
      system: [prompts.consolidateSystem, options.instructions?.trim() ?? ""].filter(Boolean).join("\n\n"),
      prompt: fillPrompt(prompts.consolidate, {
        now: timeForModel(now),
        facts: question.factLines,
        memories: question.memoryLines,
      }),
      schema: decisionSchema,
      schemaName: "decisions",
      signal,
    };
    const answer = await callModel(model, request, "consolidate", options.onCall);
    const { decisions, problems, refused } = readDecisions(answer, question);
    if (problems.length > 0)
      options.logger?.warn(
        `Decisions of the model ${model.name} were left out; the facts are inserted. ${problems.join(" ")}`,
        { problems },
      );
    for (const refusal of refused) options.onRefused?.(refusal, context);
    return decisions;
  };
}
