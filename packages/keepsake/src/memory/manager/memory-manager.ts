import { KeepsakeError } from "../../errors/index.ts";
import {
  callSafely,
  checkOptions,
  isBoolean,
  isFunction,
  isLogger,
  isRecord,
  type Logger,
  type OptionKind,
  safeLogger,
} from "../../util/index.ts";
import { messagesIn } from "../extract/messages-in.ts";
import { transcriptOf } from "../extract/transcript.ts";
import { transcriptParts } from "../extract/transcript-parts.ts";
import type { ModelInput } from "../models/inputs.ts";
import { memoryModel } from "../models/memory-model.ts";
import type { ModelCall } from "../models/model-call.ts";
import type { MemoryModel } from "../models/types.ts";
import { type MemorySchema, type MemorySchemasInput, memorySchemas, textMemory } from "../schemas.ts";
import type { TranscriptMessage } from "../types.ts";
import { type ExistingMemory, type ManagedMemory, readExisting } from "./existing.ts";
import { type ManageProblem, manage } from "./manage.ts";
import { defaultInstructions } from "./prompts.ts";
import type { Permissions } from "./reply.ts";
import { createWorkingSet, resultsOf } from "./working-set.ts";

/** How {@link createMemoryManager} works. */
export interface MemoryManagerOptions {
  /** What memories may be; default `{ Memory: { content: string } }`, plain text. */
  readonly schemas?: MemorySchemasInput;
  /** What is worth keeping, in words for the model. */
  readonly instructions?: string;
  /** Default true; also where no memories exist yet. */
  readonly enableInserts?: boolean;
  /** Default true. */
  readonly enableUpdates?: boolean;
  /** Default false. */
  readonly enableDeletes?: boolean;
  /** Called for each model call, and for each action that could not be carried out. */
  readonly onEvent?: (event: ManagerEvent) => void;
  /** Where actions that could not be carried out are warned about; default `console`. */
  readonly logger?: Logger;
  /** The clock, for what "yesterday" means. Default `Date.now`. */
  readonly now?: () => number;
}

/** What a manager tells of its work: no event but `failed` holds anything of a memory. */
export type ManagerEvent =
  | ({ readonly type: "model_call" } & ModelCall)
  /** An action that could not be carried out, though the model was shown why. */
  | ({ readonly type: "failed" } & ManageProblem)
  /** By a manager with a store: what was written, and why something was not. */
  | {
      readonly type: "inserted" | "updated" | "deleted" | "skipped";
      readonly namespace: readonly string[];
      readonly key: string;
      readonly reason?: string;
    };

/** What a manager is given. */
export interface ManagerInput {
  /** In any format that keepsake reads; a text is a message of a user. */
  readonly messages: readonly unknown[] | string;
  readonly existing?: readonly ExistingMemory[] | null | undefined;
  /** How often the model may go on. Default 1. */
  readonly maxSteps?: number | undefined;
}

/** What can be said of one call. */
export interface ManagerRun {
  readonly signal?: AbortSignal | undefined;
}

/** A manager that holds nothing: memories go in and come out. */
export interface MemoryManager {
  (
    messages: readonly unknown[] | string,
    existing?: readonly ExistingMemory[] | null,
  ): Promise<ManagedMemory[]>;
  /**
   * The memories as they are to be: those that changed or are new, then the others as they were given. A memory to be removed is there as
   * `{ id, kind: "RemoveDoc", content: { json_doc_id } }`; what removal means is the caller's.
   *
   * @throws {KeepsakeError} `extraction_failed`, `invalid_input`; and what the model's provider throws
   */
  invoke(input: ManagerInput, run?: ManagerRun): Promise<ManagedMemory[]>;
}

/** What the managers have in common, once checked. */
export interface ManagerSettings {
  readonly model: MemoryModel;
  readonly schemas: readonly MemorySchema[];
  readonly instructions: string;
  readonly may: Permissions;
  readonly now: () => number;
  readonly tell: (event: ManagerEvent) => void;
}

/** The options that the managers have in common. */
export const managerKinds: Readonly<Record<string, OptionKind>> = {
  schemas: [
    "schemas by name, such as { Profile: z.object({ … }) }",
    (value) => isRecord(value) || Array.isArray(value) || typeof value === "function",
  ],
  instructions: ["a string", (value) => typeof value === "string"],
  enableInserts: isBoolean,
  enableDeletes: isBoolean,
  onEvent: isFunction,
  logger: isLogger,
  now: isFunction,
};

/**
 * A manager of memories without a store: it reads messages, and says what becomes of the memories that it is given.
 *
 * @throws {KeepsakeError} `invalid_config`
 * @example
 * ```ts
 * const manager = createMemoryManager("anthropic:claude-sonnet-5", { schemas: { Profile } });
 * const memories = await manager.invoke({ messages, existing });
 * ```
 */
export function createMemoryManager(model: ModelInput, options: MemoryManagerOptions = {}): MemoryManager {
  checkOptions("createMemoryManager", options, { ...managerKinds, enableUpdates: isBoolean });
  const settings = managerSettings("createMemoryManager", model, options);
  const invoke = async (input: ManagerInput, run: ManagerRun = {}): Promise<ManagedMemory[]> => {
    const { transcript, maxSteps } = readInput(input);
    const set = await createWorkingSet(readExisting(input.existing), settings.schemas);
    await runTask(settings, async (task) => {
      const problems: ManageProblem[] = [];
      for (const part of transcriptParts(transcript))
        problems.push(...(await manage(set, { ...task, transcript: part, maxSteps, signal: run.signal })));
      return problems;
    });
    return resultsOf(set);
  };
  return Object.assign(
    (messages: readonly unknown[] | string, existing?: readonly ExistingMemory[] | null) =>
      invoke({ messages, existing }),
    { invoke },
  );
}

/**
 * Checks what the managers have in common.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function managerSettings(
  subject: string,
  model: ModelInput,
  options: { readonly [Name in keyof MemoryManagerOptions]: MemoryManagerOptions[Name] | undefined },
): ManagerSettings {
  const { schemas, instructions = defaultInstructions, onEvent, now = Date.now } = options;
  const logger = safeLogger(options.logger ?? console);
  const { enableInserts = true, enableUpdates = true, enableDeletes = false } = options;
  if (!enableInserts && !enableUpdates && !enableDeletes) {
    throw new KeepsakeError(
      "invalid_config",
      `${subject}: at least one of enableInserts, enableUpdates and enableDeletes must be true.`,
    );
  }
  return {
    model: memoryModel(model),
    schemas: schemas === undefined || isEmptyList(schemas) ? [textMemory] : memorySchemas(schemas),
    instructions,
    may: { inserts: enableInserts, updates: enableUpdates, deletes: enableDeletes },
    now,
    tell(event) {
      if (event.type === "failed") logger.warn(`${subject}: the model's action failed: ${event.problem}`);
      callSafely(
        () => onEvent?.(event),
        (error) => logger.warn(`${subject}: onEvent failed.`, error),
      );
    },
  };
}

/** Runs what asks the model, and tells of it. */
export async function runTask(
  { model, schemas, instructions, may, now, tell }: ManagerSettings,
  work: (task: {
    model: MemoryModel;
    schemas: readonly MemorySchema[];
    instructions: string;
    may: Permissions;
    now: Date;
    onCall: (call: ModelCall) => void;
  }) => Promise<ManageProblem[]>,
): Promise<ManageProblem[]> {
  const onCall = (call: ModelCall): void => tell({ type: "model_call", ...call });
  const problems = await work({ model, schemas, instructions, may, now: new Date(now()), onCall });
  for (const problem of problems) tell({ type: "failed", ...problem });
  return problems;
}

/**
 * Messages as a transcript, and the steps.
 *
 * @throws {KeepsakeError} invalid_input
 */
export function readInput(input: ManagerInput): { transcript: TranscriptMessage[]; maxSteps: number } {
  const { messages, maxSteps = 1 } = Object(input);
  if (!Array.isArray(messages) && typeof messages !== "string") {
    throw new KeepsakeError(
      "invalid_input",
      "A manager is given { messages }: a list of messages, or a text.",
    );
  }
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 1) {
    throw new KeepsakeError(
      "invalid_input",
      `maxSteps must be a whole number from 1 on, not ${String(maxSteps)}.`,
    );
  }
  return { transcript: transcriptOf(messagesIn("A manager", messages)), maxSteps };
}

function isEmptyList(schemas: unknown): boolean {
  return Array.isArray(schemas) && schemas.length === 0;
}
