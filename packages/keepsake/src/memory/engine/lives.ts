import type { Item } from "../../store/index.ts";
import type { ChangeAction } from "./types.ts";

/** A note of a change, as it is stored. */
export interface StoredNote {
  readonly action: ChangeAction;
  readonly change: string;
  readonly reason: string | undefined;
  readonly messageIds: readonly string[];
  readonly at: Date;
  /** The version before the change; `undefined` where there was none. */
  readonly before: Item | undefined;
}

/** A memory from when it was made to when it was forgotten: the versions that are still known, in order. */
export interface Life {
  readonly versions: readonly Item[];
  /** How it ended; `undefined` for the one that goes on, and where nothing says. */
  readonly end: StoredNote | undefined;
}

/**
 * The lives of a memory, in order. They are told apart by when they began, and those that began in the same millisecond by the changes that
 * made their versions; which of these came first, their ends say as far as a clock can.
 */
export function livesOf(current: Item | null, notes: readonly StoredNote[]): Life[] {
  const sources = new Map(notes.map(({ change, before }) => [change, before && nameOf(before)]));
  const lives: Version[][] = [];
  for (const version of versionsIn(current, notes)) {
    const life = lifeFor(version, lives, sources.get(String(version.item.value.change)));
    if (life === undefined) lives.push([version]);
    else life.push(version);
  }
  return lives.sort(inOrder).map((versions) => ({
    versions: versions.map(({ item }) => item),
    end: versions.some(({ isCurrent }) => isCurrent) ? undefined : endOf(versions),
  }));
}

interface Version {
  readonly name: string;
  readonly item: Item;
  readonly isCurrent: boolean;
  /** The note of its forgetting. */
  readonly end: StoredNote | undefined;
}

/** Every version that is still known, each once, by when its life began and by number. */
function versionsIn(current: Item | null, notes: readonly StoredNote[]): Version[] {
  const items = [...notes.flatMap(({ before }) => before ?? []), ...(current === null ? [] : [current])];
  const ends = new Map(
    notes.flatMap((note) =>
      note.action === "forget" && note.before ? [[nameOf(note.before), note] as const] : [],
    ),
  );
  const currentName = current === null ? undefined : nameOf(current);
  return [...new Map(items.map((item) => [nameOf(item), item]))]
    .map(([name, item]) => ({ name, item, isCurrent: name === currentName, end: ends.get(name) }))
    .sort((left, right) => bornAt(left) - bornAt(right) || left.item.version - right.item.version);
}

/** The life that a version continues, among those of the versions before it. */
function lifeFor(
  version: Version,
  lives: readonly Version[][],
  source: string | undefined,
): Version[] | undefined {
  const open = lives.filter((life) => {
    const last = life.at(-1);
    return last && bornAt(last) === bornAt(version) && last.item.version < version.item.version;
  });
  const changed = source && open.find((life) => life.at(-1)?.name === source);
  return changed || (open.find((life) => life.at(-1)?.end === undefined) ?? open[0]);
}

function inOrder(left: readonly Version[], right: readonly Version[]): number {
  const isCurrent = (life: readonly Version[]): number => Number(life.some((version) => version.isCurrent));
  const endedAt = (life: readonly Version[]): number => endOf(life)?.at.getTime() ?? 0;
  return (
    bornAt(left[0]) - bornAt(right[0]) || isCurrent(left) - isCurrent(right) || endedAt(left) - endedAt(right)
  );
}

function endOf(life: readonly Version[]): StoredNote | undefined {
  return life.findLast(({ end }) => end !== undefined)?.end;
}

/** What a version is known by: its value may differ in when it was last recalled. */
function nameOf({ createdAt, version, value }: Item): string {
  return JSON.stringify([createdAt.getTime(), version, value.change]);
}

function bornAt(version: Version | undefined): number {
  return version?.item.createdAt.getTime() ?? 0;
}
