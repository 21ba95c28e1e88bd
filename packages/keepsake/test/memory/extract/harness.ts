import {
  type Fact,
  type ModelCall,
  type ModelContext,
  type ModelExtractorOptions,
  memoryModel,
  modelExtractor,
  type TranscriptMessage,
} from "../../../src/memory/index.ts";
import { type ScriptedAnswer, type ScriptedModel, scriptedModel } from "../../../src/testing/index.ts";

export const context: ModelContext = {
  namespace: ["memories", "asha"],
  threadId: "t",
  now: new Date("2026-11-30T12:00:00Z"),
  signal: undefined,
};

/** A message of a transcript. */
export function message(text: string, over: Partial<TranscriptMessage> = {}): TranscriptMessage {
  return { role: "human", name: undefined, text, id: undefined, at: undefined, ...over };
}

export const conversation: readonly TranscriptMessage[] = [
  message("I am Asha, and I moved to Oslo last Friday.", {
    id: "a",
    name: "Asha",
    at: new Date("2026-03-11T09:30:00Z"),
  }),
  message("Your booking code is QX7.", { id: "b", role: "ai" }),
  message("gate 12", { id: "c", role: "tool" }),
];

/** What came of one extraction. */
export interface Extraction {
  readonly facts: readonly (Fact | string)[] | undefined;
  readonly error: unknown;
  readonly calls: readonly ModelCall[];
  readonly warnings: readonly string[];
  readonly model: ScriptedModel;
}

/** Extracts with a model that answers so. */
export async function extractWith(
  answers: readonly ScriptedAnswer[],
  options: ModelExtractorOptions = {},
  transcript: readonly TranscriptMessage[] = conversation,
): Promise<Extraction> {
  const calls: ModelCall[] = [];
  const warnings: string[] = [];
  const model = scriptedModel(answers);
  const logger = { debug: () => {}, warn: (text: string) => warnings.push(text) };
  const extract = modelExtractor(memoryModel(model), {
    logger,
    onCall: (call) => calls.push(call),
    ...options,
  });
  try {
    return { facts: await extract(transcript, context), error: undefined, calls, warnings, model };
  } catch (error) {
    return { facts: undefined, error, calls, warnings, model };
  }
}

/** The contents of the facts, in order. */
export function contents({ facts }: Extraction): unknown[] | undefined {
  return facts?.map((fact) => (typeof fact === "string" ? fact : fact.content));
}
