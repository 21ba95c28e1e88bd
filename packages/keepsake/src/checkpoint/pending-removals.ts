import { viewOf } from "../message/index.ts";
import { isRecord } from "../util/index.ts";
import type { ReducibleCheckpoint } from "./apply-reducer.ts";

/** What is read of a stored checkpoint: LangGraph's `CheckpointTuple` fits. */
export interface PendingTuple {
  readonly checkpoint: ReducibleCheckpoint;
  readonly pendingWrites?:
    | readonly (readonly [taskId: string, channel: string, value: unknown])[]
    | undefined;
}

const everything = "__remove_all__";

/**
 * Takes the removals of messages that are not there out of a checkpoint's pending writes. A node saw the list of the running graph, which
 * is not reduced; the checkpoint that its writes wait for was. On resume LangGraph would throw for a removal of what was pruned.
 *
 * @returns The tuple itself where there is nothing to take out.
 */
export function withoutVainRemovals<T extends PendingTuple>(tuple: T, messagesKey = "messages"): T {
  const { pendingWrites = [], checkpoint } = tuple;
  const writes = pendingWrites.filter(([, channel]) => channel === messagesKey);
  if (!writes.some(([, , value]) => itemsOf(value).some(isRemoval))) return tuple;
  const messages: unknown = checkpoint.channel_values[messagesKey];
  if (!Array.isArray(messages)) return tuple;

  const written = writes.flatMap(([, , value]) => itemsOf(value).filter((item) => !isRemoval(item)));
  const known = new Set([everything, ...[...messages, ...written].map((message) => viewOf(message).id)]);
  const isVain = (item: unknown): boolean => isRemoval(item) && !known.has(idOf(item));
  if (!writes.some(([, , value]) => itemsOf(value).some(isVain))) return tuple;
  return {
    ...tuple,
    pendingWrites: pendingWrites.map((write) => {
      const [taskId, channel, value] = write;
      const isConcerned = channel === messagesKey && itemsOf(value).some(isVain);
      return isConcerned ? [taskId, channel, itemsOf(value).filter((item) => !isVain(item))] : write;
    }),
  };
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** True for a `RemoveMessage`, also where a serialiser left it as data. */
function isRemoval(item: unknown): item is Record<string, unknown> {
  if (!isRecord(item)) return false;
  if (item.lc === 1 && Array.isArray(item.id)) return item.id.at(-1) === "RemoveMessage";
  return item.type === "remove" || (typeof item.getType === "function" && item.getType() === "remove");
}

function idOf(removal: Readonly<Record<string, unknown>>): string | undefined {
  const id = isRecord(removal.kwargs) ? removal.kwargs.id : removal.id;
  return typeof id === "string" ? id : undefined;
}
