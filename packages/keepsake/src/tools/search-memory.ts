import { KeepsakeError } from "../errors/index.ts";
import { type JsonSchema, parsedJson } from "../schema/index.ts";
import { compileFilter } from "../search/index.ts";
import type { PlaceSearch } from "../store/index.ts";
import { isCount, isRecord, type Json } from "../util/index.ts";
import { argumentsOf, quoted } from "./arguments.ts";
import { type OpenPlace, openPlace, type ToolSettings } from "./open-place.ts";
import { renderFound } from "./render-found.ts";
import { type ToolOptions, toolSettings } from "./settings.ts";
import type { FoundMemories, FoundMemory, SearchMemoryTool, ToolStore } from "./types.ts";

/** How {@link searchMemoryTool} is made. */
export interface SearchMemoryOptions extends ToolOptions {
  /** The most characters that a result has; default 8000. */
  readonly maxChars?: number;
}

const defaultLimit = 10;
const maxLimit = 100;
const maxOffset = 10_000;

/** Stores whose developers know already that they cannot rank. */
const warnedOf = new WeakSet<ToolStore>();

/**
 * The tool with which an agent searches its memories. It answers with a JSON array, always.
 *
 * @throws {KeepsakeError} invalid_config
 * @example
 * ```ts
 * const tool = searchMemoryTool({ namespace: ["memories", "{userId}"], store });
 * await tool.execute({ query: "which seat?" }, { context: { userId: "asha" } }); // '[{"namespace":["memories","asha"],"key":…}]'
 * ```
 */
export function searchMemoryTool(options: SearchMemoryOptions): SearchMemoryTool {
  const settings = toolSettings("search_memory", options, { maxChars: isCount(1) });
  const { maxChars = 8000, instructions = "" } = options;
  const find: SearchMemoryTool["find"] = async (args, run = {}) => {
    const open = openPlace(settings, run);
    run.signal?.throwIfAborted();
    const request = readRequest(args);
    if (typeof request === "string") return refused(request);
    return search(open, request, { maxChars, settings });
  };
  return {
    name: settings.name,
    description: ["Search your long-term memories for what bears on the conversation.", instructions.trim()]
      .filter(Boolean)
      .join("\n\n"),
    inputSchema,
    find,
    execute: async (args, run) => (await find(args, run)).content,
  };
}

async function search(
  { store, place }: OpenPlace,
  request: PlaceSearch,
  { maxChars, settings }: { readonly maxChars: number; readonly settings: ToolSettings },
): Promise<FoundMemories> {
  const items = await place.search(request);
  if (store !== undefined && request.query !== undefined) warnOfUnranked(store, items, settings);
  return { content: renderFound(items, { maxChars, offset: request.offset }), items };
}

/** An answer that is an array like any other. */
function refused(problem: string): FoundMemories {
  return { content: JSON.stringify([{ error: problem }]), items: [] };
}

/** What was asked for, or the sentence that says what is wrong with it. */
function readRequest(args: unknown): PlaceSearch | string {
  const given = argumentsOf(args);
  if (given === undefined) return "The arguments must be an object with a query.";
  const { query } = given;
  if (typeof query !== "string") return "Pass a query: what to search for, as a string.";
  const limit = countOf(given.limit, defaultLimit);
  if (limit === undefined || limit === 0)
    return `The limit must be a whole number from 1 to ${maxLimit}, not ${quoted(given.limit)}.`;
  const offset = countOf(given.offset, 0);
  if (offset === undefined || offset > maxOffset) {
    return `The offset must be a whole number from 0 to ${maxOffset}, not ${quoted(given.offset)}.`;
  }
  const filter = filterOf(given.filter);
  if (typeof filter === "string") return filter;
  return {
    limit: Math.min(limit, maxLimit),
    offset,
    ...(query.trim() === "" ? {} : { query }),
    ...(filter === undefined ? {} : { filter }),
  };
}

function countOf(value: unknown, byDefault: number): number | undefined {
  if (value === undefined) return byDefault;
  const count = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined;
}

function filterOf(given: unknown): Record<string, Json> | string | undefined {
  const filter = typeof given === "string" ? (parsedJson(given) ?? given) : given;
  if (given === undefined || (isRecord(filter) && Object.keys(filter).length === 0)) return undefined;
  try {
    compileFilter(filter);
  } catch (error) {
    if (KeepsakeError.isInstance(error)) return error.message;
    throw error;
  }
  return isJsonRecord(filter) ? filter : "The filter must be an object of conditions by field.";
}

/** Arguments come from JSON; a filter that compiles holds nothing else. */
function isJsonRecord(value: unknown): value is Record<string, Json> {
  return isRecord(value);
}

function warnOfUnranked(
  store: ToolStore,
  items: readonly FoundMemory[],
  { name, logger }: ToolSettings,
): void {
  const isRanked = items.length === 0 || items.some((item) => typeof item.score === "number");
  if (isRanked || warnedOf.has(store)) return;
  warnedOf.add(store);
  logger.warn(
    `${name}: the store ignores the query and returns what comes first, since it has no index to rank by. Give it one, or use a store of keepsake.`,
  );
}

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    query: { type: "string", description: "What to search for, in words." },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: maxLimit,
      default: defaultLimit,
      description: "The most results.",
    },
    offset: { type: "integer", minimum: 0, default: 0, description: "How many results to pass over." },
    filter: {
      type: "object",
      additionalProperties: true,
      description: 'Conditions on fields of the values, such as {"kind": "memory"} or {"age": {"$gte": 18}}.',
    },
  },
  required: ["query"],
  additionalProperties: false,
};
