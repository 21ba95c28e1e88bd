import { viewOf } from "../message/index.ts";
import { isRecord } from "../util/index.ts";
import type { ReducibleCheckpoint } from "./apply-reducer.ts";
import { readNote, withoutNote } from "./pruned-note.ts";

/** What is read of a stored checkpoint: LangGraph's `CheckpointTuple` fits. */
export interface PendingTuple {
  readonly checkpoint: ReducibleCheckpoint;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly pendingWrites?:
    | readonly (readonly [taskId: string, channel: string, value: unknown])[]
    | undefined;
}

const everything = "__remove_all__";

/**
 * Takes out of a checkpoint's pending writes what makes no sense for its list. A node saw the list of the running graph, which is not reduced;
 * the checkpoint that its writes wait for was. So on resume LangGraph would throw for the removal of a message that was pruned, and would
 * append what was pruned where a node wrote the whole list again, as a subgraph that shares it does.
 *
 * @returns The tuple, without the note of what was pruned; the tuple itself where there is nothing to take out.
 */
export function withoutVainWrites<T extends PendingTuple>(tuple: T, messagesKey = "messages"): T {
  const { metadata } = tuple;
  const wasPruned = readNote(metadata);
  if (metadata === undefined || wasPruned === undefined)
    return withSensibleWrites(tuple, messagesKey, () => false);
  return { ...withSensibleWrites(tuple, messagesKey, wasPruned), metadata: withoutNote(metadata) };
}

function withSensibleWrites<T extends PendingTuple>(
  tuple: T,
  messagesKey: string,
  wasPruned: (message: unknown) => boolean,
): T {
  const { pendingWrites = [], checkpoint } = tuple;
  const messages: unknown = checkpoint.channel_values[messagesKey];
  const values = pendingWrites.filter(([, channel]) => channel === messagesKey).map(([, , value]) => value);
  if (values.length === 0 || !Array.isArray(messages)) return tuple;

  const stored = new Set(messages.map((message) => viewOf(message).id));
  const comesBack = (item: unknown): boolean => wasPruned(item) && !stored.has(viewOf(item).id);
  const brought = new Set(values.flatMap((value) => messagesIn(value, comesBack)));
  const known = new Set([everything, ...stored, ...[...brought].map((message) => viewOf(message).id)]);
  const isVain = (item: unknown): boolean => (isRemoval(item) ? !known.has(idOf(item)) : !brought.has(item));
  if (!values.some((value) => itemsOf(value).some(isVain))) return tuple;
  return {
    ...tuple,
    pendingWrites: pendingWrites.map((write) => {
      const [taskId, channel, value] = write;
      const isConcerned = channel === messagesKey && itemsOf(value).some(isVain);
      return isConcerned ? [taskId, channel, itemsOf(value).filter((item) => !isVain(item))] : write;
    }),
  };
}

/** The messages of a write, but for those that come back; where it puts another list in the place of what is there, all of them. */
function messagesIn(value: unknown, comesBack: (item: unknown) => boolean): readonly unknown[] {
  const items = itemsOf(value);
  const isNewList = items.some((item) => isRemoval(item) && idOf(item) === everything);
  return items.filter((item) => !isRemoval(item) && (isNewList || !comesBack(item)));
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
