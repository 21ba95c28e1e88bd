import { type Draft, isEmpty, mayLeave, startsTurn } from "./draft.ts";

/**
 * What the design says of a list of messages, written without looking at the window's code and upon drafts instead of
 * message formats. Where the design leaves a case open, a message is `unclear` and may stay or leave.
 */
export type Standing = "fine" | "bad" | "unclear";

/** The smallest thing that may leave: a plain message, or a turn of calls with the results that answer it. */
export interface Unit {
  readonly members: readonly number[];
  readonly standing: Standing;
}

interface Reading {
  /** Empty messages are gone before calls and results are matched. */
  readonly emptiesVanish: boolean;
  /** Assistant rows of text between the rows with calls and their results belong to the same turn. */
  readonly textRowsJoin: boolean;
}

const READINGS: readonly Reading[] = [
  { emptiesVanish: false, textRowsJoin: false },
  { emptiesVanish: false, textRowsJoin: true },
  { emptiesVanish: true, textRowsJoin: false },
  { emptiesVanish: true, textRowsJoin: true },
];

/** A list as understood under every reading of the open cases. */
export interface Understanding {
  readonly list: readonly Draft[];
  readonly standing: readonly Standing[];
  /** Per index: all that some reading takes to be one unit with it. */
  readonly unitOf: readonly ReadonlySet<number>[];
  /** Per index: what every reading takes to be one unit with it. */
  readonly coreOf: readonly ReadonlySet<number>[];
}

/** Reads the list in every way that the design allows. */
export function understand(list: readonly Draft[]): Understanding {
  const open = list.some(isEmpty) || hasTextRowBeforeResult(list);
  const readings = (open ? READINGS : READINGS.slice(0, 1)).flatMap((reading) =>
    readRepeatedly(list, reading),
  );
  const units = readings.map((reading) => unitByIndex(list, reading));
  const unitOf = list.map((_, index) => new Set(units.flatMap((unit) => unit[index]?.members ?? [])));
  const coreOf = unitOf.map(
    (all, index) =>
      new Set([...all].filter((member) => units.every((unit) => unit[index]?.members.includes(member)))),
  );
  const standing = list.map((_, index): Standing => {
    const seen = new Set(units.map((unit) => unit[index]?.standing ?? "unclear"));
    return seen.size === 1 ? ([...seen][0] ?? "unclear") : "unclear";
  });
  return { list, standing, unitOf, coreOf };
}

/** As the list is, and as it is when results that answer nothing have gone: those of no call at all, or all of them. */
function readRepeatedly(list: readonly Draft[], reading: Reading): Unit[][] {
  const first = readUnits(list, reading);
  const orphans = first
    .flatMap(({ members, standing }) => (standing === "bad" ? members : []))
    .filter((index) => list[index]?.role === "tool");
  if (orphans.length === 0) return [first];
  const wasCalled = (index: number): boolean =>
    list.slice(0, index).some((draft) => draft.calls.includes(list[index]?.answers ?? ""));
  const uncalled = orphans.filter((index) => !wasCalled(index));
  return [first, readUnits(list, reading, new Set(uncalled)), readUnits(list, reading, new Set(orphans))];
}

function unitByIndex(list: readonly Draft[], units: readonly Unit[]): Unit[] {
  const byIndex: Unit[] = Array.from({ length: list.length });
  for (const unit of units) for (const index of unit.members) byIndex[index] = unit;
  return byIndex;
}

function hasTextRowBeforeResult(list: readonly Draft[]): boolean {
  const visible = list.filter((draft) => !isTransparent(draft));
  return (
    visible.some(
      (draft, index) =>
        draft.role === "tool" && visible[index - 1]?.role === "ai" && visible[index - 1]?.calls.length === 0,
    ) ||
    visible.some(
      (draft, index) =>
        draft.role === "ai" && draft.calls.length === 0 && (visible[index - 1]?.calls.length ?? 0) > 0,
    )
  );
}

/** Unknown roles neither close an exchange nor open a window; what cannot be read is never in one. */
function isTransparent(draft: Draft): boolean {
  return draft.role === "other" || draft.role === "unreadable";
}

function readUnits(list: readonly Draft[], reading: Reading, gone: ReadonlySet<number> = new Set()): Unit[] {
  const units: Unit[] = [];
  const visible: number[] = [];
  list.forEach((draft, index) => {
    const vanishes = gone.has(index) || (reading.emptiesVanish && isEmpty(draft));
    if (!isTransparent(draft) && !vanishes) visible.push(index);
    else units.push({ members: [index], standing: draft.role === "other" ? "fine" : "bad" });
  });
  let at = 0;
  while (at < visible.length) {
    const index = visible[at] ?? 0;
    const draft = list[index] as Draft;
    if (draft.role === "ai" && draft.calls.length > 0) {
      const exchange = readExchange(list, visible, at, reading);
      units.push(...exchange.units);
      at = exchange.end;
      continue;
    }
    units.push({ members: [index], standing: draft.role === "tool" || isEmpty(draft) ? "bad" : "fine" });
    at++;
  }
  return units;
}

/** A turn of assistant rows with calls and the run of results behind it: complete, open at the tail, or broken. */
function readExchange(
  list: readonly Draft[],
  visible: readonly number[],
  start: number,
  reading: Reading,
): { units: Unit[]; end: number } {
  const at = (position: number): Draft | undefined => list[visible[position] ?? -1];
  const rowsEnd = endOfRows(at, start, reading);
  const calls: string[] = [];
  for (let row = start; row < rowsEnd; row++) calls.push(...(at(row)?.calls ?? []));
  const members = visible.slice(start, rowsEnd);
  const waiting = new Set(calls);
  const units: Unit[] = [];
  const repeats = calls.length > waiting.size;
  let end = rowsEnd;
  for (; at(end)?.role === "tool"; end++) {
    const index = visible[end] ?? -1;
    const answers = at(end)?.answers ?? "";
    if (waiting.delete(answers)) members.push(index);
    else units.push({ members: [index], standing: repeats && calls.includes(answers) ? "unclear" : "bad" });
  }
  const complete = waiting.size === 0 || end === visible.length;
  if (complete) units.push({ members, standing: repeats ? "unclear" : "fine" });
  else units.push(...brokenTurn(list, members, waiting));
  return { units, end };
}

/** A turn that lacks results: whether a row of it that has all of its own may stay is open. */
function brokenTurn(
  list: readonly Draft[],
  members: readonly number[],
  waiting: ReadonlySet<string>,
): Unit[] {
  const callsOf = (index: number): readonly string[] => list[index]?.calls ?? [];
  const answered = members.filter(
    (index) => callsOf(index).length > 0 && !callsOf(index).some((call) => waiting.has(call)),
  );
  const own = new Set(answered.flatMap(callsOf));
  const isOpen = (index: number): boolean => answered.includes(index) || own.has(list[index]?.answers ?? "");
  const unclear = members.filter(isOpen);
  return [
    { members: unclear, standing: "unclear" },
    { members: members.filter((index) => !unclear.includes(index)), standing: "bad" },
  ];
}

function endOfRows(at: (position: number) => Draft | undefined, start: number, reading: Reading): number {
  let end = start + 1;
  let scan = end;
  for (; at(scan)?.role === "ai"; scan++) {
    if ((at(scan)?.calls.length ?? 0) > 0) end = scan + 1;
    else if (!reading.textRowsJoin) break;
  }
  const answered = at(scan)?.role === "tool";
  return reading.textRowsJoin && answered ? scan : end;
}

/** What a provider would refuse in a window: halves of exchanges and messages that say nothing. */
export function windowViolations(window: readonly Draft[]): string[] {
  const lenient = readUnits(window, { emptiesVanish: false, textRowsJoin: true });
  const strict = readUnits(window, { emptiesVanish: false, textRowsJoin: false });
  const bad = (units: readonly Unit[]): Unit[] => units.filter((unit) => unit.standing === "bad");
  if (bad(strict).length === 0) return [];
  return bad(lenient).map(
    (unit) => `invalid in the window: ${unit.members.map((index) => window[index]?.label).join(", ")}`,
  );
}

export interface Keeping {
  readonly preserveFirst: boolean;
  readonly repair: boolean;
  readonly turns: boolean;
}

/** What must be in the window under every reading of the design. */
export function keptAtLeast(
  { list, standing, coreOf }: Understanding,
  { preserveFirst, repair }: Keeping,
): Set<number> {
  const kept = new Set<number>();
  const add = (index: number, whole: boolean): void => {
    if (index < 0 || (standing[index] !== "fine" && (repair || list[index]?.role === "unreadable"))) return;
    kept.add(index);
    if (!whole) return;
    for (const member of coreOf[index] ?? []) if (standing[member] === "fine") kept.add(member);
  };
  list.forEach((draft, index) => {
    if (!mayLeave(draft)) add(index, false);
    if (draft.pinned) add(index, repair);
  });
  if (preserveFirst && list.length > 0) add(0, repair);
  add(list.findLastIndex(startsTurn), false);
  const last = lastUnit(list, standing);
  if (last !== undefined) add(last, true);
  return kept;
}

/** The last message that may leave, orphans not counted; undefined where that is open. */
function lastUnit(list: readonly Draft[], standing: readonly Standing[]): number | undefined {
  const last = list.findLastIndex((draft, index) => mayLeave(draft) && standing[index] !== "bad");
  return last >= 0 && standing[last] === "fine" ? last : undefined;
}

/** All that any reading of the design could count among the messages that never leave. */
export function keptAtMost(understanding: Understanding, { preserveFirst, turns }: Keeping): Set<number> {
  const { list, standing, unitOf } = understanding;
  const kept = new Set<number>();
  const add = (index: number): void => {
    for (const member of unitOf[index] ?? []) kept.add(member);
  };
  list.forEach((draft, index) => {
    if (draft.role !== "unreadable" && !mayLeave(draft)) kept.add(index);
    if (!draft.pinned) return;
    add(index);
    const turn = list.slice(0, index).findLastIndex(startsTurn);
    if (turns && turn >= 0) kept.add(turn);
  });
  if (preserveFirst) {
    add(0);
    add(standing.findIndex((one) => one !== "bad"));
    const front = behindRemovedFront(understanding);
    add(standing.findIndex((one, index) => one !== "bad" && !front.has(index)));
  }
  add(list.findLastIndex(startsTurn));
  add(list.findLastIndex((draft) => draft.role === "human"));
  for (let index = list.length - 1; index >= 0; index--) {
    if (mayLeave(list[index] as Draft)) add(index);
    if (standing[index] === "fine" && mayLeave(list[index] as Draft)) break;
  }
  return kept;
}

/** What stands between a front that repair removes and the first turn: it leaves as well, so that the window starts with the user. */
export function behindRemovedFront({ list, standing }: Understanding): Set<number> {
  const front = list.findIndex(mayLeave);
  const turn = list.findIndex(startsTurn);
  if (front < 0 || standing[front] === "fine") return new Set();
  return new Set(list.flatMap((draft, index) => (index < turn && mayLeave(draft) ? [index] : [])));
}

/**
 * The index of a first message that no provider would accept as such: not the user's, not behind a preserved first
 * message, although there was a user message to begin with.
 */
export function wrongStart(
  understanding: Understanding,
  survived: readonly number[],
  preserveFirst: boolean,
): number | undefined {
  const { list, standing, unitOf } = understanding;
  const first = standing.findIndex((one) => one !== "bad");
  const preserved = preserveFirst
    ? new Set([...(unitOf[0] ?? []), ...(unitOf[first] ?? [])])
    : new Set<number>();
  const leading = survived.find(
    (index) => mayLeave(list[index] as Draft) && (startsTurn(list[index] as Draft) || !preserved.has(index)),
  );
  if (leading === undefined || startsTurn(list[leading] as Draft)) return undefined;
  const couldStartEarlier = list.slice(0, leading).some(startsTurn);
  const couldStartLater = list.some(startsTurn) && !isHeld(list, leading, unitOf);
  return couldStartEarlier || couldStartLater ? leading : undefined;
}

/** Held in the window by `pin`, so that it may lead where no user message stands before it. */
function isHeld(list: readonly Draft[], index: number, unitOf: readonly ReadonlySet<number>[]): boolean {
  return [...(unitOf[index] ?? [])].some((member) => list[member]?.pinned === true);
}
