import { KeepsakeError } from "../errors/index.ts";
import { isHostStore, type NamespaceTemplate, placeholderValues } from "../store/index.ts";
import { isObject } from "../util/index.ts";
import { placeInEngine, placeInStore, type ToolPlace } from "./tool-place.ts";
import type { ToolEngine, ToolLogger, ToolRun, ToolStore } from "./types.ts";

/** What a tool was made with. */
export interface ToolSettings {
  readonly name: string;
  readonly template: NamespaceTemplate;
  readonly store: ToolStore | undefined;
  readonly engine: ToolEngine | undefined;
  readonly logger: ToolLogger;
}

/** What one call may touch, and the store that it is in; of an engine nobody needs to know that. */
export interface OpenPlace {
  readonly store: ToolStore | undefined;
  readonly place: ToolPlace;
}

/**
 * Finds the store and fills the namespace of one call. Frameworks hand what a tool throws to the model and let the run succeed, so a
 * mistake of the app is logged as well.
 *
 * @throws {KeepsakeError} missing_store or missing_namespace_value
 */
export function openPlace(settings: ToolSettings, run: ToolRun): OpenPlace {
  try {
    const { engine, template } = settings;
    const values = placeholderValues(run);
    if (engine !== undefined)
      return { store: undefined, place: placeInEngine(engine, template.fill(values)) };
    const store = storeOf(settings, run);
    return { store, place: placeInStore(store, template.fill(values)) };
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
    storeOfTool: (settings.engine ?? settings.store) !== undefined,
    storeOfRun: run.store !== undefined && run.store !== null,
  };
}

function namesIn(values: unknown): string[] {
  return isObject(values) ? Object.keys(values).filter((name) => !name.startsWith("__")) : [];
}
