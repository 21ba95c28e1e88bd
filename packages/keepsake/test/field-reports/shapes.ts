import { expect } from "vitest";
import { MessageReducer, validateWindow } from "../../src/index.ts";
import { type Draft, parseNotation } from "../reducer-invariants/draft.ts";
import { deepFreeze, type Format, writeHistory } from "../reducer-invariants/formats.ts";
import { judge } from "../reducer-invariants/judge.ts";
import type { Limits } from "../reducer-invariants/limits.ts";
import {
  type Case,
  configOf,
  outcomeOf,
  type ReducerConfig,
  writeCase,
} from "../reducer-invariants/run-reducer.ts";
import { isWireShape, WIRE_PROVIDERS, WIRE_SHAPES, type WireShape, wireMessages } from "./wire-shapes.ts";

/** The shapes in which every report is tried. */
export const SHAPES: readonly Shape[] = [
  "plain",
  "openai",
  "langchain",
  "langchain-dict",
  "langchain-json",
  "getters",
  ...WIRE_SHAPES,
];
/** A shape in which a history in notation can be written. */
export type Shape = Format | WireShape;

/** A history in the notation of the field reports, written in one shape; in items one word may be several messages. */
export function writeShape(notation: string, shape: Shape): unknown[] {
  const drafts = parseNotation(notation);
  if (!isWireShape(shape)) return [...writeHistory(drafts, shape).messages];
  return drafts.flatMap((draft) => wireMessages(draft, shape));
}

/** What a report's history is reduced with: the defaults of the library where nothing is said. */
export type Settings = Partial<Limits>;

function limitsOf(settings: Settings): Limits {
  const maxMessages = settings.maxMessages === undefined ? 20 : settings.maxMessages;
  return {
    maxMessages,
    minMessages: Math.min(10, maxMessages ?? 10),
    maxTokens: undefined,
    targetTokens: undefined,
    preserveFirst: true,
    boundary: "turn",
    repair: true,
    pin: true,
    injectSummary: false,
    ...settings,
  };
}

/** A history in the notation of the field reports, written in one shape. */
/** What each message of a history in notation counts; of a word that is several items, the first counts. */
export function tokensIn(
  notation: string,
  shape: Shape,
  messages: readonly unknown[],
): ReadonlyMap<unknown, number> {
  const tokens = parseNotation(notation).flatMap((draft) =>
    (isWireShape(shape) ? wireMessages(draft, shape) : [draft]).map((_, at) => (at === 0 ? draft.tokens : 0)),
  );
  return new Map(messages.map((message, index) => [message, tokens[index] ?? 0]));
}

function writeReport(notation: string, shape: Format, settings: Settings = {}): Case {
  return writeCase(parseNotation(notation), shape, limitsOf(settings));
}

/** What one reduce makes of a report's history; the oracle finds nothing wrong with it. */
export interface Reduced {
  /** The indexes that are still in the window. */
  readonly stays: readonly number[];
  readonly overBudget: boolean;
}

export async function reduceReport(
  notation: string,
  shape: Shape,
  settings: Settings = {},
  more: Partial<ReducerConfig> = {},
): Promise<Reduced | undefined> {
  if (isWireShape(shape)) return reduceWire(parseNotation(notation), shape, limitsOf(settings), more);
  const one = writeReport(notation, shape, settings);
  const reducer = new MessageReducer<unknown, unknown>(configOf(one, more));
  const outcome = outcomeOf(one, await reducer.reduce({ existing: [...one.written.messages] }));
  if (typeof outcome === "string") throw new Error(outcome);
  expect(judge(one.drafts, outcome, one.limits)).toEqual([]);
  return { stays: outcome.survived, overBudget: outcome.overBudget };
}

/**
 * The same in a wire format. `undefined` where the history cannot be written in it one message a word, and messages are counted: the limit
 * would be another one.
 */
async function reduceWire(
  drafts: readonly Draft[],
  shape: WireShape,
  limits: Limits,
  more: Partial<ReducerConfig>,
): Promise<Reduced | undefined> {
  const written = drafts.map((draft) => wireMessages(draft, shape).map(deepFreeze));
  const messages = written.flat();
  if (
    messages.length > drafts.length &&
    limits.maxTokens === undefined &&
    messages.length > (limits.maxMessages ?? 0)
  )
    return undefined;
  const tokens = new Map(
    written.flatMap((list, index) =>
      list.map((one, at) => [one, at === 0 ? (drafts[index]?.tokens ?? 0) : 0]),
    ),
  );
  const { maxTokens, targetTokens, pin: _pin, injectSummary, ...rest } = limits;
  const reducer = new MessageReducer<unknown, unknown>({
    ...rest,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(targetTokens === undefined ? {} : { targetTokens }),
    ...(injectSummary ? { injectSummary } : {}),
    tokenCounter: (message) => tokens.get(message) ?? 3,
    logger: { debug: () => {}, warn: () => {} },
    ...more,
  });
  const { surviving, pruned, overBudget } = await reducer.reduce({ existing: messages });
  expect(new Set([...surviving, ...pruned])).toEqual(new Set(messages));
  expect(surviving.length + pruned.length).toBe(messages.length);
  const rules = validateWindow(surviving, { provider: WIRE_PROVIDERS[shape] }).map(({ rule }) => rule);
  // A prompt in the middle, and two user messages in a row, are the reports' own.
  const own = [
    "system-in-the-middle",
    "roles-alternate",
    ...(drafts[0]?.role === "human" ? [] : ["first-not-user"]),
  ];
  expect(rules.filter((rule) => !own.includes(rule))).toEqual([]);
  const staying = written.map((list) => list.filter((one) => surviving.includes(one)).length);
  const isTorn = staying.some((count, index) => count > 0 && count < (written[index]?.length ?? 0));
  // Items of an answer without reasoning are messages of their own: of an interrupted one those stay that were answered.
  if (isTorn && shape.startsWith("openai-")) return undefined;
  expect(isTorn).toBe(false);
  const stays = staying.flatMap((count, index) => (count > 0 ? [index] : []));
  return { stays, overBudget };
}

/** The words of a notation at these indexes, for expectations that read like the reports. */
export function wordsAt(notation: string, indexes: readonly number[]): string {
  const words = notation.split(/\s+/).filter(Boolean);
  return indexes.map((index) => words[index]).join(" ");
}
