import { callSafely, type Logger } from "../../util/index.ts";
import type { ModelCall } from "../models/model-call.ts";
import type { Decision } from "../types.ts";

/** What an engine reports: no event holds the text of a memory. */
export type MemoryEvent =
  | (BatchEvent & { readonly type: "extracted"; readonly count: number })
  /** A fact that could not be stored: it has no content, or not that of its schema. Of a model's: after it was asked again. */
  | (BatchEvent & { readonly type: "fact_refused"; readonly reason: string })
  | (MemoryChange & { readonly type: "inserted" })
  | (MemoryChange & { readonly type: "updated" })
  | (MemoryChange & { readonly type: "skipped" })
  /** What was decided cannot be done; the fact was stored as a memory of its own. `fact` is -1 where there is no such fact. */
  | (BatchEvent & {
      readonly type: "decision_refused";
      readonly decision: Pick<Decision, "fact" | "action" | "target">;
      readonly reason: string;
    })
  /** `consolidate`: everything was inserted. The other two: the batch was not taken. */
  | (BatchEvent & {
      readonly type: "failed";
      readonly phase: "extract" | "consolidate" | "write";
      readonly error: unknown;
    })
  | (BatchEvent & { readonly type: "replayed" })
  | {
      readonly type: "model_call";
      /** `repair`: the answer to `extract` could not be read, or not all of it. */
      readonly purpose: ModelCall["purpose"];
      /** The provider's name of it, or `"function"`. */
      readonly model: string;
      /** Where the provider says. */
      readonly tokens: { readonly input: number; readonly output: number } | undefined;
    }
  | { readonly type: "recalled"; readonly namespace: readonly string[]; readonly count: number }
  | {
      readonly type: "forgotten";
      readonly namespace: readonly string[];
      readonly count: number;
      readonly purge: boolean;
    }
  | { readonly type: "restored"; readonly namespace: readonly string[]; readonly key: string }
  | { readonly type: "erased"; readonly namespace: readonly string[]; readonly count: number };

/** What the events of a `remember` share. */
export interface BatchEvent {
  readonly namespace: readonly string[];
  readonly threadId: string | undefined;
  readonly deliveryId: string | undefined;
}

/** What became of one fact. */
export interface MemoryChange extends BatchEvent {
  /** Of the memory that was written, or that says the same already. */
  readonly key: string;
  readonly reason: string | undefined;
}

/** What an engine has done since it was made. */
export interface EngineStats {
  /** Batches that were remembered. */
  readonly batches: number;
  readonly extracted: number;
  readonly inserted: number;
  readonly updated: number;
  readonly skipped: number;
  readonly refused: number;
  readonly failed: number;
  readonly recalled: number;
  readonly forgotten: number;
  /** Calls of the model, and of the functions in its place. */
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

type Counters = { -readonly [Name in keyof EngineStats]: number };

/** Counts events and hands them to the app. */
export interface EngineReporter {
  emit(event: MemoryEvent): void;
  /** One more batch was remembered. */
  countBatch(): void;
  stats(): EngineStats;
}

/** Nothing that the app's `onEvent` does breaks the engine. */
export function createReporter(
  onEvent: ((event: MemoryEvent) => void) | undefined,
  logger: Logger,
): EngineReporter {
  const counters: Counters = {
    ...{ batches: 0, extracted: 0, inserted: 0, updated: 0, skipped: 0, refused: 0 },
    ...{ failed: 0, recalled: 0, forgotten: 0, modelCalls: 0, inputTokens: 0, outputTokens: 0 },
  };
  return {
    emit: (event) => {
      count(counters, event);
      callSafely(
        () => onEvent?.(event),
        (error) =>
          logger.warn("keepsake: onEvent of a MemoryEngine failed; the event counts as reported.", error),
      );
    },
    countBatch: () => {
      counters.batches += 1;
    },
    stats: () => ({ ...counters }),
  };
}

function count(counters: Counters, event: MemoryEvent): void {
  switch (event.type) {
    case "extracted":
    case "recalled":
    case "forgotten":
      counters[event.type] += event.count;
      return;
    case "inserted":
    case "updated":
    case "skipped":
    case "failed":
      counters[event.type] += 1;
      return;
    case "fact_refused":
    case "decision_refused":
      counters.refused += 1;
      return;
    case "model_call":
      counters.modelCalls += 1;
      counters.inputTokens += event.tokens?.input ?? 0;
      counters.outputTokens += event.tokens?.output ?? 0;
      return;
    default:
  }
}
