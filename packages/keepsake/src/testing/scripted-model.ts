import { isRecord } from "../util/index.ts";

/** What a scripted model is asked; keepsake asks more, all of it is kept. */
export interface ScriptedRequest {
  readonly system: string;
  readonly prompt: string;
  readonly schemaName: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a scripted model answers: text, as a model writes it; a value, as structured output gives it; `{ text, tokens }` or
 * `{ value, tokens }`; an `Error`, which is thrown; a function of the request that gives one of these; `{ afterMs, answer }`, which takes its
 * time (`Infinity`: until the request is aborted).
 */
export type ScriptedAnswer = unknown;

/** A model for tests: a function that an engine takes as `model`. */
export interface ScriptedModel {
  (request: ScriptedRequest): Promise<unknown>;
  /** What it was asked, in order. */
  readonly requests: readonly ScriptedRequest[];
  /** How many answers are left. */
  left(): number;
}

/**
 * Replays answers, one for each request, and fails when there are none left.
 *
 * @example
 * ```ts
 * const model = scriptedModel([{ facts: [{ content: "Asha prefers aisle seats.", messages: ["m1"] }] }]);
 * const engine = new MemoryEngine({ store, model });
 * ```
 */
export function scriptedModel(answers: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: ScriptedRequest[] = [];
  const scripted = async (request: ScriptedRequest): Promise<unknown> => {
    const place = requests.length;
    requests.push(request);
    if (place >= answers.length)
      throw new Error(
        `scriptedModel has ${answers.length} answers, and was asked for one more, for ${request.schemaName}.`,
      );
    return play(answers[place], request);
  };
  return Object.assign(scripted, { requests, left: () => Math.max(0, answers.length - requests.length) });
}

async function play(answer: ScriptedAnswer, request: ScriptedRequest): Promise<unknown> {
  if (answer instanceof Error) throw answer;
  if (typeof answer === "function") return play(await answer(request), request);
  if (!isDelayed(answer)) return answer;
  await pause(answer.afterMs, request.signal);
  return play(answer.answer, request);
}

interface Delayed {
  readonly afterMs: number;
  readonly answer?: unknown;
}

function isDelayed(answer: unknown): answer is Delayed {
  return isRecord(answer) && typeof answer.afterMs === "number";
}

/** Rejects with the reason of an abort, as a provider's client does. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const done = (): void => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    const timer = Number.isFinite(ms) ? setTimeout(done, ms) : undefined;
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
