import { KeepsakeError } from "../../errors/index.ts";
import { schemaProblems, withDefaults } from "../../schema/index.ts";
import { isRecord } from "../../util/index.ts";
import { type MemorySchema, textMemory } from "../schemas.ts";
import type { ManagerConfig } from "./open-run.ts";

/** Where the memory is that a manager's `default` begins. */
export const defaultKey = "default";

/** A memory that exists before anything was said. */
export interface DefaultMemory {
  readonly kind: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Makes the default memory of one call; undefined where the manager has none. */
export type MakeDefault = ((config: ManagerConfig) => Promise<DefaultMemory>) | undefined;

/**
 * Reads `default` and `defaultFactory`.
 *
 * @throws {KeepsakeError} invalid_config: both are given, or the default fits no schema
 */
export function defaultMaker(
  options: {
    readonly default?: unknown;
    readonly defaultFactory?: ((config: ManagerConfig) => unknown) | undefined;
  },
  schemas: readonly MemorySchema[],
): MakeDefault {
  const { default: given, defaultFactory } = options;
  if (given !== undefined && defaultFactory !== undefined) {
    throw invalid("default and defaultFactory cannot both be given; choose one.");
  }
  if (defaultFactory !== undefined) return async (config) => checked(await defaultFactory(config), schemas);
  if (given === undefined) return undefined;
  fitting(given, schemas);
  return () => checked(given, schemas);
}

async function checked(given: unknown, schemas: readonly MemorySchema[]): Promise<DefaultMemory> {
  const { schema, fields } = fitting(given, schemas);
  const outcome = await schema.check(fields);
  if ("problems" in outcome) throw unfit(outcome.problems);
  return { kind: schema.name, content: isRecord(outcome.content) ? outcome.content : {} };
}

/** The first schema that the default fits. */
function fitting(
  given: unknown,
  schemas: readonly MemorySchema[],
): { readonly schema: MemorySchema; readonly fields: unknown } {
  const isPlainText = schemas.every(({ name }) => name === textMemory.name);
  const fields = typeof given === "string" && isPlainText ? { content: given } : given;
  const problems = schemas.map((schema) => {
    const { jsonSchema } = schema;
    return { schema, lines: schemaProblems(jsonSchema, withDefaults(jsonSchema, fields)) };
  });
  const fit = problems.find(({ lines }) => lines.length === 0);
  if (fit === undefined || !isRecord(fields)) throw unfit(problems.flatMap(({ lines }) => lines));
  return { schema: fit.schema, fields };
}

function unfit(problems: readonly string[]): KeepsakeError {
  return invalid(
    `the default fits none of the schemas (${problems.slice(0, 5).join("; ")}). A text is one for memories of plain text only.`,
  );
}

function invalid(problem: string): KeepsakeError {
  return new KeepsakeError("invalid_config", `createMemoryStoreManager: ${problem}`);
}
