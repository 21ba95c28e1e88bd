import { type Draft, isEmpty, mayLeave, notation, startsTurn } from "./draft.ts";
import { type Limits, limitOf, sizeOf } from "./limits.ts";
import {
  behindRemovedFront,
  keptAtLeast,
  keptAtMost,
  type Understanding,
  understand,
  windowViolations,
  wrongStart,
} from "./oracle.ts";
import type { Partition } from "./partition.ts";

/** What a reducer made of a history, in drafts. */
export interface Outcome extends Partition {
  /** The summary block that was put into the window. */
  readonly block: readonly Draft[];
  /** The summary block that came with the input and is not counted among its messages. */
  readonly carried: readonly Draft[];
  /** The window with the block in its place. */
  readonly window: readonly Draft[];
  readonly overBudget: boolean;
}

/** Every rule of the design that the outcome breaks; an empty list is what every history must give. */
export function judge(drafts: readonly Draft[], outcome: Outcome, limits: Limits): string[] {
  const understanding = understand(drafts);
  return [
    ...judgeKeeping(understanding, outcome, limits),
    ...judgeValidity(understanding, outcome, limits),
    ...judgeSize(understanding, outcome, limits),
  ];
}

function judgeKeeping(
  understanding: Understanding,
  { survived, pruned, carried }: Outcome,
  limits: Limits,
): string[] {
  const { list, standing } = understanding;
  const staying = new Set(survived);
  const keeping = {
    preserveFirst: limits.preserveFirst,
    repair: limits.repair,
    turns: limits.boundary === "turn",
  };
  const required = keptAtLeast(understanding, keeping);
  const violations = [...required]
    .filter(
      (index) =>
        !staying.has(index) && !isReplaced(list, index, (twin) => staying.has(twin) && !required.has(twin)),
    )
    .map((index) => `must stay but left: ${name(list, index)}`);
  for (const index of survived) {
    if (list[index]?.role === "unreadable") violations.push(`unreadable but in the window: index ${index}`);
  }
  if (
    survived.length === 0 &&
    standing.some((one, index) => one === "fine" && mayLeave(list[index] as Draft))
  ) {
    violations.push("an empty window out of a list with sound messages");
  }
  if (sizeOf([...list, ...carried], limits) <= limitOf(limits)) {
    const front =
      limits.repair && limits.boundary === "turn" ? behindRemovedFront(understanding) : new Set<number>();
    const cut = pruned.filter((index) =>
      limits.repair ? standing[index] === "fine" && !front.has(index) : list[index]?.role !== "unreadable",
    );
    const unreplaced = cut.filter(
      (index) => !isReplaced(list, index, (twin) => staying.has(twin) && standing[twin] !== "fine"),
    );
    violations.push(...unreplaced.map((index) => `left under the trigger: ${name(list, index)}`));
  }
  return violations;
}

/** Where one object occurs several times, which of its places stayed cannot be told from outside. */
function isReplaced(list: readonly Draft[], index: number, accepts: (twin: number) => boolean): boolean {
  return list.some((draft, twin) => twin !== index && draft === list[index] && accepts(twin));
}

function judgeValidity(understanding: Understanding, outcome: Outcome, limits: Limits): string[] {
  const { list, standing } = understanding;
  const sound = standing.every((one) => one === "fine");
  if (!limits.repair && (!sound || limits.boundary === "message")) return [];
  const violations = windowViolations(outcome.window);
  const wasCut = outcome.pruned.some(
    (index) => standing[index] === "fine" && !isReplaced(list, index, () => true),
  );
  if (limits.boundary === "turn" && wasCut) {
    const wrong = wrongStart(understanding, outcome.survived, limits.preserveFirst);
    if (wrong !== undefined && !isReplaced(list, wrong, () => true))
      violations.push(`the window does not start with the user: ${name(list, wrong)}`);
  }
  if (limits.repair) {
    violations.push(
      ...outcome.window.filter(isEmpty).map((draft) => `empty message in the window: ${draft.label}`),
    );
  }
  return violations;
}

function judgeSize(understanding: Understanding, outcome: Outcome, limits: Limits): string[] {
  const { list, standing } = understanding;
  const size = sizeOf(outcome.window, limits);
  const limit = limitOf(limits);
  if (outcome.overBudget !== size > limit)
    return [`size ${size} of at most ${limit}, but overBudget is ${outcome.overBudget}`];
  if (limits.boundary === "message" || size <= limit) return [];
  const keeping = { preserveFirst: limits.preserveFirst, repair: limits.repair, turns: true };
  const held = keptAtMost(understanding, keeping);
  for (const index of outcome.survived) {
    if (standing[index] !== "fine" || isReplaced(list, index, () => true)) held.add(index);
  }
  const least = sizeOf([...[...held].map((index) => list[index] as Draft), ...outcome.block], limits);
  return least > limit ? [] : [`over budget with ${size} of ${limit} although ${least} could be reached`];
}

/**
 * Where nothing is unclear: the cut keeps what it may and takes what it must. By count the window starts at the nearest
 * turn start before `minMessages` if all of it fits, else at the next one that fits. By tokens it starts at the first
 * turn start from which on all fits `targetTokens`, else within the latest turn.
 */
export function judgeGenerosity(
  drafts: readonly Draft[],
  { survived, pruned, block }: Outcome,
  limits: Limits,
): string[] {
  const understanding = understand(drafts);
  const held = keptAtMost(understanding, {
    preserveFirst: limits.preserveFirst,
    repair: limits.repair,
    turns: true,
  });
  const size = (start: number): number =>
    sizeOf([...drafts.filter((_, index) => index >= start || held.has(index)), ...block], limits);
  const start = windowStart(understanding, size, limits);
  const staying = new Set(survived);
  const missing = drafts.flatMap((_, index) =>
    index >= start && !staying.has(index) ? [name(drafts, index)] : [],
  );
  const violations =
    missing.length === 0 ? [] : [`the window could start at ${start}, but these left: ${missing.join(" ")}`];
  const target = limits.targetTokens ?? limitOf(limits);
  const reached = sizeOf(
    survived.map((index) => drafts[index] as Draft),
    limits,
  );
  if (pruned.length > 0 && reached > Math.max(target, size(start)))
    violations.push(`${reached} remain of ${target}`);
  return violations;
}

function windowStart(understanding: Understanding, size: (start: number) => number, limits: Limits): number {
  const { list } = understanding;
  const starts = list.flatMap((draft, index) => (startsTurn(draft) ? [index] : []));
  const limit = limitOf(limits);
  if (limits.maxTokens === undefined) {
    const fitting = starts.filter((at) => size(at) <= limit);
    const back = fitting.findLast((at) => list.length - at >= limits.minMessages);
    const fits = (at: number): boolean => size(at) <= limit && list.length - at <= limits.minMessages;
    return back ?? fitting[0] ?? startWithinTurn(understanding, fits);
  }
  const target = limits.targetTokens ?? limits.maxTokens;
  const within = (at: number): boolean => size(at) <= target;
  return starts.find(within) ?? startWithinTurn(understanding, within);
}

/** The first exchange of the latest turn from which on everything fits; the end of the list where none does. */
function startWithinTurn({ list, unitOf }: Understanding, fits: (start: number) => boolean): number {
  const latest = list.findLastIndex(startsTurn);
  const isStart = (index: number): boolean =>
    mayLeave(list[index] as Draft) && Math.min(...(unitOf[index] ?? [])) === index;
  const at = list.findIndex((_, index) => index > latest && isStart(index) && fits(index));
  return at < 0 ? list.length : at;
}

function name(list: readonly Draft[], index: number): string {
  return `${index}:${notation(list.slice(index, index + 1))}`;
}
