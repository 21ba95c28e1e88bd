import type { ContentSchemaInput } from "../../schema/index.ts";
import { modelExtractor } from "../extract/model-extractor.ts";
import { modelConsolidator } from "../judge/model-consolidator.ts";
import { memoryModel } from "../models/memory-model.ts";
import type { ModelCall } from "../models/model-call.ts";
import type { MemoryModel } from "../models/types.ts";
import { type MemorySchema, memorySchemas } from "../schemas.ts";
import type { Consolidator, Extractor } from "../types.ts";
import { batchEvent, type EngineCore } from "./core.ts";
import { createReporter, type EngineReporter } from "./events.ts";
import { checkEngineOptions, type EngineSettings, engineSettings } from "./settings.ts";
import type { MemoryEngineOptions } from "./types.ts";

/**
 * Checks what an engine is made of, and puts it together.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function createCore(options: MemoryEngineOptions): EngineCore {
  checkEngineOptions(options);
  const { store, model, schema, onEvent, extractor } = options;
  const settings = engineSettings(options);
  const reporter = createReporter(onEvent, settings.logger);
  const schemas = schema === undefined ? [] : memorySchemas(schema);
  const named = model === undefined ? undefined : memoryModel(model);
  return {
    store,
    settings,
    reporter,
    schemas: new Map(schemas.map((one) => [one.name, one])),
    checksFacts: extractor !== undefined,
    extract: extractorOf(options, named, schemas, reporter, settings),
    consolidate: consolidatorOf(options, named, reporter, settings),
  };
}

function extractorOf(
  { extractor, prompts, schema }: MemoryEngineOptions,
  model: MemoryModel | undefined,
  schemas: readonly MemorySchema[],
  reporter: EngineReporter,
  { logger }: EngineSettings,
): Extractor {
  if (extractor === undefined && model !== undefined) {
    const given = schemas.length === 0 ? undefined : schemasByName(schema, schemas);
    return modelExtractor(model, {
      ...{ prompts, schemas: given, logger, onCall: reportTo(reporter) },
      onRefused: (reason, context) => reporter.emit({ type: "fact_refused", ...batchEvent(context), reason }),
    });
  }
  return (transcript, context) => {
    reportFunction(reporter, "extract");
    return extractor === undefined ? [] : extractor(transcript, context);
  };
}

function consolidatorOf(
  { consolidator, prompts }: MemoryEngineOptions,
  model: MemoryModel | undefined,
  reporter: EngineReporter,
  { logger }: EngineSettings,
): Consolidator {
  if (consolidator === undefined && model !== undefined)
    return modelConsolidator(model, {
      ...{ prompts, logger, onCall: reportTo(reporter) },
      onRefused: (refusal, context) =>
        reporter.emit({ type: "decision_refused", ...batchEvent(context), ...refusal }),
    });
  return (proposals, context) => {
    reportFunction(reporter, "consolidate");
    return consolidator === undefined ? [] : consolidator(proposals, context);
  };
}

/** The schemas as the app gave them, which check more than their JSON form says. */
function schemasByName(
  given: unknown,
  schemas: readonly MemorySchema[],
): Readonly<Record<string, ContentSchemaInput>> {
  const ofList = Array.isArray(given) ? given : undefined;
  return Object.fromEntries(
    schemas.map(({ name, jsonSchema }, index) => {
      return [name, ofList?.[index] ?? Object(given)[name] ?? given ?? jsonSchema];
    }),
  );
}

function reportTo(reporter: EngineReporter): (call: ModelCall) => void {
  return ({ purpose, model, tokens }) => reporter.emit({ type: "model_call", purpose, model, tokens });
}

function reportFunction(reporter: EngineReporter, purpose: "extract" | "consolidate"): void {
  reporter.emit({ type: "model_call", purpose, model: "function", tokens: undefined });
}
