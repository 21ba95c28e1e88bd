import { contentHashOf, viewOf } from "../message/index.ts";
import { hash128 } from "../util/index.ts";

type Metadata = Readonly<Record<string, unknown>>;

const noteKey = "keepsake_pruned";
/** Half of a hash: 64 bits tell the messages of one list apart. */
const markLength = 16;

/**
 * The metadata of a checkpoint with a note of what its list has lost, for {@link withoutVainWrites}: the nodes that run on still have these
 * messages, and may write them again. A mark of 16 characters for each.
 *
 * @returns The metadata itself where there is nothing to note.
 */
export function withNote<T extends object>(metadata: T, pruned: readonly unknown[]): T {
  const note = pruned.map((message) => markOf(message) ?? "").join("");
  return note === "" ? metadata : { ...metadata, [noteKey]: note };
}

/** What a note says: whether a message is one of those. `undefined` where there is no note. */
export function readNote(metadata: Metadata | undefined): ((message: unknown) => boolean) | undefined {
  const note = metadata?.[noteKey];
  if (typeof note !== "string") return undefined;
  const marks = new Set(note.match(new RegExp(`.{${markLength}}`, "g")));
  return (message) => marks.has(markOf(message) ?? "");
}

/** The metadata as LangGraph wrote them. */
export function withoutNote<T extends Metadata>(metadata: T): T {
  const { [noteKey]: _, ...others } = metadata;
  // What is taken out is not of the type.
  return others as T;
}

/** By id and content: an edited copy is another message. What has no id is never taken for a message that is there already. */
function markOf(message: unknown): string | undefined {
  const { id } = viewOf(message);
  if (id === undefined || id === "") return undefined;
  return hash128(`${contentHashOf(message)}${id}`).slice(0, markLength);
}
