import { canonicalJson } from "../util/index.ts";
import { type Neighbours, reach, sameSitting, surroundingsOf } from "./surroundings.ts";
import type { TurnDraft } from "./turn-draft.ts";
import type { TurnValue } from "./types.ts";

/** A turn in the store. */
export interface StoredTurn {
  readonly key: string;
  readonly value: TurnValue;
}

/** Positions from the first to the last, both included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Gives each draft its place: that of the turn stored under its key, else the next free one. Drafts of one key are one turn. */
export function placeTurns(
  drafts: readonly TurnDraft[],
  stored: ReadonlyMap<string, StoredTurn>,
  nextPosition: number,
): StoredTurn[] {
  const placed = new Map<string, StoredTurn>();
  let next = nextPosition;
  for (const { key, ...draft } of drafts) {
    if (placed.has(key)) continue;
    const known = stored.get(key)?.value;
    const position = known?.position ?? next++;
    placed.set(key, { key, value: { ...known, kind: "turn", ...draft, position } });
  }
  return [...placed.values()];
}

/** What must be known of the conversation to write the surroundings of the turns at `positions` and of those that they surround. */
export function spansAround(positions: readonly number[]): Span[] {
  const spans: { first: number; last: number }[] = [];
  for (const position of [...positions].sort((left, right) => left - right)) {
    const first = Math.max(0, position - 2 * reach);
    const last = position + 2 * reach;
    const previous = spans.at(-1);
    if (previous !== undefined && first <= previous.last + 1) previous.last = last;
    else spans.push({ first, last });
  }
  return spans;
}

/**
 * The turns to write when `delivered` arrives in the conversation of which `stored` is known: the delivered ones, and those near them whose
 * surroundings they change. What is in the store already as it should be is left out.
 */
export function weave(
  delivered: readonly StoredTurn[],
  stored: readonly StoredTurn[],
  gapMs: number,
): StoredTurn[] {
  const before = new Map(stored.map((turn) => [turn.key, canonicalJson(turn.value)]));
  const places = new Map([...stored, ...delivered].map((turn) => [turn.value.position, turn]));
  const affected = new Set(delivered);
  for (const { value } of delivered) for (const turn of around(value, places)) affected.add(turn);
  return [...affected]
    .map(({ key, value }) => ({ key, value: withSurroundings(value, places, gapMs) }))
    .filter(({ key, value }) => {
      const written = before.get(key);
      return written === undefined || written !== canonicalJson(value);
    });
}

type Places = ReadonlyMap<number, StoredTurn>;

function withSurroundings(value: TurnValue, places: Places, gapMs: number): TurnValue {
  const { before: _before, after: _after, ...own } = value;
  const near = (direction: 1 | -1): TurnValue[] =>
    towards(value, direction, places)
      .map((turn) => turn.value)
      .filter((other) => sameSitting(value, other, gapMs));
  const neighbours: Neighbours = { before: near(-1), after: near(1) };
  return { ...own, ...surroundingsOf(value, neighbours) };
}

function around(value: TurnValue, places: Places): StoredTurn[] {
  return [...towards(value, -1, places), ...towards(value, 1, places)];
}

/** The known turns within reach in one direction, nearest first. */
function towards(value: TurnValue, direction: 1 | -1, places: Places): StoredTurn[] {
  const found: StoredTurn[] = [];
  for (let step = 1; step <= reach; step += 1) {
    const turn = places.get(value.position + direction * step);
    if (turn !== undefined) found.push(turn);
  }
  return found;
}
