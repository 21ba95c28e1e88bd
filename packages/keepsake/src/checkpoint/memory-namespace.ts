import type { MessageReducer } from "../reducer/index.ts";

/** What is read of a run's config: LangGraph's `RunnableConfig` fits. */
export interface RunConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Whose memory a run writes to and reads from: `configurable[reducer.namespaceKey]`, untouched; else `["memories", thread_id]`; else
 * `null`.
 */
export function memoryNamespace<N = string[]>(
  reducer: Pick<MessageReducer<never, N>, "namespaceKey">,
  config: RunConfig | undefined,
): N | string[] | null;
export function memoryNamespace(
  { namespaceKey }: { readonly namespaceKey: string },
  config: RunConfig | undefined,
): unknown {
  const configurable = config?.configurable ?? {};
  const given = Object.hasOwn(configurable, namespaceKey) ? configurable[namespaceKey] : undefined;
  if (given !== undefined && given !== null) return given;
  const threadId = threadOf(configurable);
  return threadId === "" ? null : ["memories", threadId];
}

/**
 * The conversation of a run for the reducer's bookkeeping: the thread, and within it the checkpoint namespace of a subgraph. No two pairs
 * give the same text. `undefined` where there is no thread.
 */
export function conversationOf(config: RunConfig | undefined): string | undefined {
  const configurable = config?.configurable ?? {};
  const threadId = threadOf(configurable);
  const { checkpoint_ns: place } = configurable;
  if (typeof place === "string" && place !== "") return JSON.stringify([threadId, place]);
  if (threadId === "") return undefined;
  return threadId.startsWith("[") ? JSON.stringify([threadId]) : threadId;
}

/** Some savers take a number, too; an empty id is none. */
function threadOf({ thread_id: threadId }: Readonly<Record<string, unknown>>): string {
  return typeof threadId === "string" || typeof threadId === "number" ? String(threadId) : "";
}
