import { KeepsakeError } from "../errors/index.ts";
import {
  isHostStore,
  type MemoryPlace,
  type NamespaceTemplate,
  placeholderValues,
  placeIn,
} from "../store/index.ts";
import { isObject } from "../util/index.ts";
import type { ToolLogger, ToolRun, ToolStore } from "./types.ts";

/** What a tool was made with. */
export interface ToolSettings {
  readonly name: string;
  readonly template: NamespaceTemplate;
  readonly store: ToolStore | undefined;
  readonly logger: ToolLogger;
}

/** A store together with the place in it that one call may touch. */
export interface OpenPlace {
  readonly store: ToolStore;
  readonly place: MemoryPlace;
}

/**
 * Finds the store and fills the namespace of one call. Frameworks hand what a tool throws to the model and let the run succeed, so a
 * mistake of the app is logged as well.
 *
 * @throws {KeepsakeError} missing_store or missing_namespace_value
 */
export function openPlace(settings: ToolSettings, run: ToolRun): OpenPlace {
  try {
    const store = storeOf(settings, run);
    const namespace = settings.template.fill(placeholderValues(run));
    return { store, place: placeIn(store, namespace) };
  } catch (error) {
    settings.logger.error(`${settings.name}: ${String(error)}`, detailsOf(settings, run, error));
    throw error;
  }
}

function storeOf(settings: ToolSettings, run: ToolRun): ToolStore {
  const store = settings.store ?? run.store;
  if (isHostStore(store)) return store;
  const problem =
    store === undefined || store === null
      ? "there is no store"
      : "what is given as the store has no get, put, delete and search";
  throw new KeepsakeError(
    "missing_store",
    `The memory tool ${settings.name} cannot work: ${problem}. The application must pass a store, to the tool or to what runs it.`,
    { data: { tool: settings.name } },
  );
}

/** Names and no values: logs are read by more people than may know who the users are. */
function detailsOf(settings: ToolSettings, run: ToolRun, error: unknown): Record<string, unknown> {
  return {
    code: KeepsakeError.isInstance(error) ? error.code : undefined,
    tool: settings.name,
    namespace: settings.template.labels,
    inConfigurable: namesIn(run.configurable),
    inContext: namesIn(run.context),
    storeOfTool: settings.store !== undefined,
    storeOfRun: run.store !== undefined && run.store !== null,
  };
}

function namesIn(values: unknown): string[] {
  return isObject(values) ? Object.keys(values).filter((name) => !name.startsWith("__")) : [];
}
