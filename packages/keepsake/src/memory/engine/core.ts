import type { Store } from "../../store/index.ts";
import type { MemorySchema } from "../schemas.ts";
import type { Consolidator, Extractor, ModelContext } from "../types.ts";
import type { BatchEvent, EngineReporter } from "./events.ts";
import type { EngineSettings } from "./settings.ts";

/** What the functions of an engine work with. */
export interface EngineCore {
  readonly store: Store;
  readonly settings: EngineSettings;
  readonly extract: Extractor;
  readonly consolidate: Consolidator;
  /** The schemas of typed memories by name; empty where memories are texts. */
  readonly schemas: ReadonlyMap<string, MemorySchema>;
  /** Whether facts may be other than their schemas say: the app's extractor checks nothing. */
  readonly checksFacts: boolean;
  readonly reporter: EngineReporter;
}

/** One call of `remember`. */
export interface Batch {
  readonly namespace: readonly string[];
  readonly threadId: string | undefined;
  readonly deliveryId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What every event of a batch says. */
export function batchEvent({ namespace, threadId, deliveryId }: Omit<ModelContext, "now">): BatchEvent {
  return { namespace: [...namespace], threadId, deliveryId };
}

/** What a model is told of a batch. */
export function modelContext(
  { namespace, threadId, deliveryId, signal }: Batch,
  { settings }: EngineCore,
): ModelContext {
  return { namespace, threadId, deliveryId, now: new Date(settings.now()), signal };
}
