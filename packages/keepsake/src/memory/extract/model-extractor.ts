import { KeepsakeError } from "../../errors/index.ts";
import {
  canonicalJson,
  checkOptions,
  isFunction,
  isLogger,
  isRecord,
  type Logger,
} from "../../util/index.ts";
import { callModel, type ModelCall } from "../models/model-call.ts";
import type { MemoryModel, ModelAnswer, ModelRequest } from "../models/types.ts";
import { excerpt, fillPrompt, isPrompts, type Prompts, promptsFrom, timeForModel } from "../prompts.ts";
import type { Extractor, Fact, ModelContext, TranscriptMessage } from "../types.ts";
import { answerSchema, type Kind, kindsOf, type MemorySchemas } from "./fact-schema.ts";
import { answerText, type ReadFacts, readFacts } from "./read-facts.ts";
import { transcriptLines } from "./transcript-lines.ts";
import { transcriptParts } from "./transcript-parts.ts";

/** How {@link modelExtractor} works. */
export interface ModelExtractorOptions {
  /** Facts are records of these kinds, by name; default: sentences. */
  readonly schemas?: MemorySchemas | undefined;
  /** Added to the task: what is worth remembering in this app. */
  readonly instructions?: string | undefined;
  /** Prompts in place of keepsake's own. */
  readonly prompts?: Partial<Prompts> | undefined;
  /** Told of facts that had to be left out. Default none. */
  readonly logger?: Logger | undefined;
  /** Called after every call of the model. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
  /** Called for each fact that had to be left out; the reason quotes nothing of it. */
  readonly onRefused?: ((reason: string, context: ModelContext) => void) | undefined;
}

/**
 * Finds facts with a model: one call for a transcript, or for each part of one that is longer than about 16 000 tokens. What cannot be used
 * of the answer goes back to the model once, with the reasons. After that the facts that are right are kept and the others reported to
 * `logger` and `onRefused`; where nothing could be read, or nothing of it is right, that is an error. `{"facts":[]}` is an answer like any other. The
 * extractor rejects with what the provider threw.
 *
 * @throws {KeepsakeError} `invalid_config`; `extraction_failed` from the extractor
 */
export function modelExtractor(model: MemoryModel, options: ModelExtractorOptions = {}): Extractor {
  checkOptions("modelExtractor", options, {
    schemas: ["an object of schemas by name", isRecord],
    instructions: ["a text", (value) => typeof value === "string"],
    prompts: isPrompts,
    logger: isLogger,
    onCall: isFunction,
    onRefused: isFunction,
  });
  const kinds = kindsOf(options.schemas);
  const task: Task = {
    model,
    options,
    kinds,
    schema: answerSchema(kinds),
    prompts: promptsFrom(options.prompts),
  };
  return async (transcript, context) => {
    const facts: Fact[] = [];
    for (const part of transcriptParts(transcript)) {
      context.signal?.throwIfAborted();
      facts.push(...(await extract(task, part, context)));
    }
    return facts;
  };
}

interface Task {
  readonly model: MemoryModel;
  readonly options: ModelExtractorOptions;
  readonly kinds: readonly Kind[];
  readonly schema: ModelRequest["schema"];
  readonly prompts: Prompts;
}

async function extract(
  task: Task,
  transcript: readonly TranscriptMessage[],
  context: ModelContext,
): Promise<readonly Fact[]> {
  const { model, options, kinds, prompts } = task;
  const request = requestFor(task, transcript, context);
  const answer = await callModel(model, request, "extract", options.onCall);
  const first = await readFacts(answer, kinds, transcript);
  if (first.problems.length === 0) return first.facts;

  context.signal?.throwIfAborted();
  const prompt = request.prompt + repairPrompt(prompts, answer, first);
  const secondAnswer = await callModel(model, { ...request, prompt }, "repair", options.onCall);
  const second = await readFacts(secondAnswer, kinds, transcript);
  const facts = distinct([...first.facts, ...second.facts]);
  const isAnswered = facts.length > 0 || second.problems.length === 0;
  if (!isAnswered) throw failed(model, secondAnswer, second.problems);
  if (second.problems.length > 0)
    options.logger?.warn(
      `Part of what the model ${model.name} extracted could not be used. ${second.problems.join(" ")}`,
      { kept: facts.length, problems: second.problems },
    );
  // What cannot be read at all says nothing of the facts that were asked for again.
  const { reasons } = second.isReadable ? second : first;
  if (second.problems.length > 0) for (const reason of reasons) options.onRefused?.(reason, context);
  return facts;
}

function requestFor(
  { options, schema, prompts, kinds }: Task,
  transcript: readonly TranscriptMessage[],
  { now, signal }: ModelContext,
): ModelRequest {
  const system = [
    prompts.extractSystem,
    kinds.length > 0 ? prompts.extractTyped : "",
    options.instructions?.trim() ?? "",
  ];
  return {
    system: system.filter(Boolean).join("\n\n"),
    prompt: fillPrompt(prompts.extract, { now: timeForModel(now), transcript: transcriptLines(transcript) }),
    schema,
    schemaName: "facts",
    signal,
  };
}

const shownAnswer = 4000;
const shownProblems = 20;

function repairPrompt(prompts: Prompts, answer: ModelAnswer, { facts, problems }: ReadFacts): string {
  return fillPrompt(facts.length > 0 ? prompts.rest : prompts.repair, {
    answer: tagless(excerpt(answerText(answer), shownAnswer)),
    problems: tagless(
      problems
        .slice(0, shownProblems)
        .map((problem) => `- ${problem}`)
        .join("\n"),
    ),
    count: String(facts.length),
  });
}

/** A text that closes no tag of the prompt. */
function tagless(text: string): string {
  return text.replaceAll("<", "\\u003c");
}

/** What was asked for again may be said again. */
function distinct(facts: readonly Fact[]): readonly Fact[] {
  const known = new Set<string>();
  return facts.filter((fact) => known.size < known.add(sameness(fact)).size);
}

function sameness({ content, kind }: Fact): string {
  const text = typeof content === "string" ? content.toLowerCase().replace(/\s+/g, " ") : content;
  return canonicalJson([kind ?? null, text]) ?? "";
}

function failed(model: MemoryModel, answer: ModelAnswer, problems: readonly string[]): KeepsakeError {
  const text = excerpt(answerText(answer), 300);
  return new KeepsakeError(
    "extraction_failed",
    `The model ${model.name} gave no facts that can be used, when asked again neither: ${problems.slice(0, 5).join(" ")} It answered: ${text === "" ? "nothing" : JSON.stringify(text)}. The messages were not remembered; deliver them again, or use another model.`,
    { data: { model: model.name, problems, answer: text } },
  );
}
