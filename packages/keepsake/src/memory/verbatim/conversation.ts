import type { TurnValue } from "../types.ts";
import { reach, sameSitting, wordsAfter, wordsBefore } from "./surroundings.ts";
import type { TurnDraft } from "./turn-draft.ts";

/** A turn in the store. */
export interface StoredTurn {
  readonly key: string;
  readonly value: TurnValue;
}

/** A delivery, placed in the conversation. */
export interface Placed {
  /** Turns that are stored for the first time, in the order of their positions. */
  readonly fresh: readonly StoredTurn[];
  /** Turns that are stored already: their position and surroundings, and what others added to them, stay. */
  readonly again: readonly StoredTurn[];
}

/** Gives drafts that are not `known` the positions from `first` on. Drafts of one key are one turn. */
export function placeTurns(
  drafts: readonly TurnDraft[],
  known: ReadonlyMap<string, StoredTurn>,
  first: number,
): Placed {
  const fresh: StoredTurn[] = [];
  const again: StoredTurn[] = [];
  for (const { key, ...draft } of new Map(drafts.map((draft) => [draft.key, draft])).values()) {
    const old = known.get(key)?.value;
    if (old === undefined)
      fresh.push({ key, value: { kind: "turn", ...draft, position: first + fresh.length } });
    else again.push({ key, value: { ...old, kind: "turn", ...draft } });
  }
  return { fresh, again };
}

/** The fresh turns with their surroundings, and `last`, the turns before them, with the words of what follows them now. */
export function weave(
  last: readonly StoredTurn[],
  fresh: readonly StoredTurn[],
  gapMs: number,
): StoredTurn[] {
  const turns = [...last, ...fresh].map(({ value }) => value);
  const near = (turn: TurnValue, others: readonly TurnValue[]): TurnValue[] =>
    others.filter((other) => sameSitting(turn, other, gapMs));
  return [...last, ...fresh].map(({ key, value }, index) => {
    const earlier = turns.slice(Math.max(0, index - reach), index).reverse();
    const before = index < last.length ? value.before : wordsBefore(value, near(value, earlier));
    const after = wordsAfter(value, near(value, turns.slice(index + 1, index + 1 + reach)));
    return { key, value: withSurroundings(value, before, after) };
  });
}

function withSurroundings(value: TurnValue, before: string | undefined, after: string): TurnValue {
  const { before: _before, after: _after, ...own } = value;
  return { ...own, ...(before ? { before } : {}), ...(after ? { after } : {}) };
}
