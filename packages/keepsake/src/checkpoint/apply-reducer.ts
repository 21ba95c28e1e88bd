import { recordOf } from "../message/index.ts";
import type { MessageReducer } from "../reducer/index.ts";
import { isRecord } from "../util/index.ts";
import { conversationOf, memoryNamespace, type RunConfig } from "./memory-namespace.ts";

/** What is read of a checkpoint: LangGraph's `Checkpoint` fits. */
export interface ReducibleCheckpoint {
  readonly channel_values: Readonly<Record<string, unknown>>;
  readonly channel_versions?: Readonly<Record<string, unknown>> | undefined;
}

/** Which channels of a reducer were warned about. */
const warned = new WeakMap<object, Set<string>>();

const deltaChannel =
  "it is a DeltaChannel, whose history is not in the checkpoint. Use a channel with an ordinary reducer.";
const noMessages =
  "its list holds something that is no message. Is messagesKey the channel that holds the messages?";

/**
 * Reduces the message list of a checkpoint, for authors of savers: what leaves the window goes to the reducer's hooks, under
 * {@link memoryNamespace} and with thread and checkpoint namespace. Call it before a checkpoint is stored.
 *
 * @param messagesKey The channel that holds the messages. Default `"messages"`. What is no list of messages is left alone;
 * for a list with something else in it, and for a `DeltaChannel`, whose history is not in the checkpoint, this is said once.
 * @returns A shallow copy with the channel reduced; the checkpoint itself where there is no list of messages.
 * @example
 * ```ts
 * async put(config, checkpoint, metadata, newVersions) {
 *   return this.write(config, await applyReducer(this.reducer, checkpoint, config), metadata, newVersions);
 * }
 * ```
 */
export async function applyReducer<C extends ReducibleCheckpoint, M, N>(
  reducer: MessageReducer<M, N>,
  checkpoint: C,
  config: RunConfig | undefined,
  messagesKey = "messages",
): Promise<C> {
  return (await reduceCheckpoint(reducer, checkpoint, config, messagesKey)).checkpoint;
}

/** As {@link applyReducer}, with what the list has lost. */
export async function reduceCheckpoint<C extends ReducibleCheckpoint, M, N>(
  reducer: MessageReducer<M, N>,
  checkpoint: C,
  config: RunConfig | undefined,
  messagesKey: string,
): Promise<{ checkpoint: C; pruned: readonly M[] }> {
  const { channel_values: values } = checkpoint;
  const asItWas = { checkpoint, pruned: [] };
  const messages: unknown = Object.hasOwn(values, messagesKey) ? values[messagesKey] : undefined;
  if (!Array.isArray(messages)) {
    if (isDelta(checkpoint, messagesKey)) warnOnce(reducer, messagesKey, deltaChannel);
    return asItWas;
  }
  // The reducer would prune it, and hand it to nobody: it would be lost.
  if (messages.some((message) => recordOf(message) === undefined)) {
    warnOnce(reducer, messagesKey, noMessages);
    return asItWas;
  }
  const { surviving, pruned } = await reducer.reduce<M>({
    existing: messages,
    namespace: memoryNamespace<N>(reducer, config) as N,
    threadId: conversationOf(config),
  });
  return { checkpoint: { ...checkpoint, channel_values: { ...values, [messagesKey]: surviving } }, pruned };
}

/** True for a channel that has been written and is not in the checkpoint, or is there as a snapshot. */
function isDelta({ channel_values, channel_versions = {} }: ReducibleCheckpoint, key: string): boolean {
  const value = channel_values[key];
  if (value === undefined) return Object.hasOwn(channel_versions, key);
  return isRecord(value) && value.lg_name === "DeltaSnapshot";
}

function warnOnce(reducer: object, messagesKey: string, problem: string): void {
  const channels = warned.get(reducer) ?? new Set();
  warned.set(reducer, channels);
  if (channels.has(messagesKey)) return;
  channels.add(messagesKey);
  console.warn(
    `keepsake: the channel "${messagesKey}" is not reduced, and nothing of it is handed over: ${problem}`,
  );
}
