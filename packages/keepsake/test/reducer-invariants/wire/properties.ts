import fc from "fast-check";
import { MessageReducer, validateWindow, viewOf } from "../../../src/index.ts";
import { deepFreeze } from "../formats.ts";
import { type Limits, limitOf, randomLimits } from "../limits.ts";
import { partitionOf } from "../partition.ts";
import type { Runs } from "../properties.ts";
import type { Reducer, ReducerConfig, Result } from "../run-reducer.ts";
import { type Damage, damage, damages } from "./damage.ts";
import { allowed } from "./exceptions.ts";
import type { Wire, WireFormat } from "./format.ts";
import { type Beat, countedByTurn, scriptLine, scripts } from "./script.ts";

const SILENT = { debug: () => {}, warn: () => {} };
const blockTokens = 3;

/** A conversation as a reducer meets it. */
export interface Meeting {
  readonly format: WireFormat;
  readonly list: readonly Wire[];
  readonly limits: Limits;
  readonly isDamaged: boolean;
}

interface Drawn {
  readonly beats: readonly Beat[];
  readonly reuses: boolean;
  readonly hurts: readonly Damage[];
  readonly limits: Limits;
}

/**
 * Conversations in one format: after a reduce the window is valid for its provider, nothing is lost or doubled, groups stay whole, what must
 * stay stays, the limit holds, and a second reduce changes nothing.
 */
export async function checkFormat(format: WireFormat, isDamaged: boolean, runs: Runs): Promise<void> {
  const inputs: fc.Arbitrary<Drawn> = fc.record({
    beats: scripts,
    reuses: format.reusesCalls ? fc.boolean() : fc.constant(false),
    hurts: isDamaged ? damages : fc.constant([]),
    limits: randomLimits({ repair: true, pin: false }),
  });
  const property = fc.asyncProperty(inputs, async ({ beats: drawn, reuses, hurts, limits }) => {
    const beats = reuses ? countedByTurn(drawn) : drawn;
    const whole: readonly Wire[] = format.write(beats);
    const list = hurts.reduce((rest, one, at) => damage(rest, format, one, `d${at}`), whole);
    for (const { message } of list) deepFreeze(message);
    const meeting: Meeting = { format, list, limits, isDamaged };
    const violations = await violationsOf(meeting);
    if (violations.length === 0) return;
    throw new Error(
      [
        ...violations,
        `${format.name}: ${scriptLine(beats)}`,
        `damages: ${JSON.stringify(hurts)}`,
        `limits: ${JSON.stringify(limits)}`,
        ...list.map(
          ({ message, kind, group, tokens }, index) =>
            `${index} ${kind} ${group} {${tokens}} ${JSON.stringify(message)}`,
        ),
      ].join("\n"),
    );
  });
  await fc.assert(property, runs);
}

async function violationsOf(meeting: Meeting): Promise<string[]> {
  const messages = meeting.list.map(({ message }) => message);
  const taken: unknown[] = [];
  const config = configOf(meeting);
  const reducer: Reducer = new MessageReducer<unknown, unknown>({
    ...config,
    onPrune: [(pruned) => void taken.push(...pruned)],
  });
  const result = await reducer.reduce({ existing: messages, namespace: ["memories", "asha"] });
  const own = ownOf(meeting, result);
  const partition = partitionOf(messages, own.surviving, own.pruned);
  if (partition === undefined) return ["surviving and pruned are not the input, each message once, in order"];
  return [
    ...validity(meeting, result.surviving, partition.survived),
    ...keeping(meeting, result, partition.survived),
    ...groups(meeting, partition.survived),
    ...size(meeting, result),
    ...(await again(reducer, result)),
    ...delivered(own.pruned, taken, messages),
    ...sync(config, messages, result),
  ];
}

function configOf({ limits, list }: Meeting): ReducerConfig {
  const { pin: _, injectSummary, maxTokens, targetTokens, ...rest } = limits;
  const tokensOf = new Map(list.map(({ message, tokens }) => [message, tokens]));
  return {
    ...rest,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(targetTokens === undefined ? {} : { targetTokens }),
    tokenCounter: (message) => tokensOf.get(message) ?? blockTokens,
    ...(injectSummary
      ? { injectSummary, summarize: (pruned: unknown[]) => `${pruned.length} messages` }
      : {}),
    logger: SILENT,
  };
}

function ownOf({ list }: Meeting, { surviving, pruned }: Result): Pick<Result, "surviving" | "pruned"> {
  const known = new Set(list.map(({ message }) => message));
  const isOwn = (message: unknown): boolean => known.has(message);
  return { surviving: surviving.filter(isOwn), pruned: pruned.filter(isOwn) };
}

function validity(
  { format, list, limits }: Meeting,
  window: readonly unknown[],
  survived: readonly number[],
): string[] {
  const isAllowed = allowed(list, window, survived, limits);
  const found = format.providers.flatMap((provider) =>
    validateWindow(window, { provider })
      .filter(({ rule, index }) => !isAllowed(rule, index))
      .map(({ rule, message }) => `${provider} ${rule}: ${message}`),
  );
  const refused = (format.refusals?.(window) ?? [])
    .filter(({ rule, index }) => !isAllowed(rule, index))
    .map(({ rule, index, says }) => `refused, ${rule} at ${index} of the window: ${says}`);
  return [...found, ...refused, ...(found.length + refused.length > 0 ? [JSON.stringify(window)] : [])];
}

/** System messages and those of unknown roles stay, and so does the user's latest. */
function keeping(
  { list, limits, isDamaged }: Meeting,
  { overBudget }: Result,
  survived: readonly number[],
): string[] {
  const stays = new Set(survived);
  const violations = list.flatMap(({ kind }, index) =>
    (kind === "system" || kind === "other") && !stays.has(index) ? [`${kind} message ${index} left`] : [],
  );
  if (isDamaged) return violations;
  const latest = list.findLastIndex(({ kind, message }) => kind === "user" || says(message));
  if (latest >= 0 && !stays.has(latest)) violations.push(`the latest user message ${latest} left`);
  if (limits.preserveFirst && list.length > 0 && !stays.has(0)) violations.push("the first message left");
  const total =
    limits.maxTokens === undefined ? list.length : list.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total <= limitOf(limits) && (stays.size < list.length || overBudget))
    violations.push("something left although all was within the limit");
  return violations;
}

/** True for results with words of the user beside them. */
const says = (message: unknown): boolean => JSON.stringify(message).includes("words beside");

/** A call, its results and the reasoning before it share one fate; those that were damaged are not judged. */
function groups({ list, isDamaged }: Meeting, survived: readonly number[]): string[] {
  if (isDamaged) return [];
  const stays = new Set(survived);
  const fates = new Map<string, Set<boolean>>();
  list.forEach(({ group }, index) => {
    fates.set(group, (fates.get(group) ?? new Set()).add(stays.has(index)));
  });
  return [...fates].filter(([, fate]) => fate.size > 1).map(([group]) => `${group} is torn apart`);
}

function size({ list, limits }: Meeting, { surviving, overBudget }: Result): string[] {
  const tokensOf = new Map(list.map(({ message, tokens }) => [message, tokens]));
  const weight = (message: unknown): number =>
    limits.maxTokens === undefined ? 1 : (tokensOf.get(message) ?? blockTokens);
  const total = surviving.reduce<number>((sum, message) => sum + weight(message), 0);
  return overBudget === total > limitOf(limits)
    ? []
    : [`${total} of ${limitOf(limits)}, overBudget is ${overBudget}`];
}

async function again(reducer: Reducer, { surviving }: Result): Promise<string[]> {
  const second = await reducer.reduce({ existing: [...surviving], namespace: ["memories", "asha"] });
  const isSame =
    second.pruned.length === 0 &&
    second.surviving.length === surviving.length &&
    second.surviving.every((message, index) => Object.is(message, surviving[index]));
  return isSame ? [] : [`a second reduce prunes ${second.pruned.length} of ${surviving.length}`];
}

/** All that left and can be read was handed over; what was, had left. Twins may stand for each other. */
function delivered(
  pruned: readonly unknown[],
  taken: readonly unknown[],
  messages: readonly unknown[],
): string[] {
  const gone = new Set(pruned);
  const got = new Set(taken);
  const isReadable = (message: unknown): boolean =>
    typeof message === "object" && message !== null && !Array.isArray(message);
  // What a message is known by: its id, and what it says, calls and answers.
  const keyOf = (message: unknown): string => {
    const view = viewOf(message);
    return JSON.stringify(view.id === undefined ? [message] : view);
  };
  const texts = new Set(taken.map(keyOf));
  const missing = pruned.filter((one) => isReadable(one) && !got.has(one) && !texts.has(keyOf(one)));
  return [
    ...(missing.length > 0 ? [`${missing.length} of ${pruned.length} that left were not handed over`] : []),
    ...(taken.some((one) => !gone.has(one)) ? ["handed over what did not leave"] : []),
    ...(taken.length > messages.length ? ["handed over more than there is"] : []),
  ];
}

function sync(config: ReducerConfig, messages: readonly unknown[], result: Result): string[] {
  const { surviving } = new MessageReducer<unknown, unknown>(config).reduceSync({ existing: [...messages] });
  const isSame =
    config.injectSummary ||
    (surviving.length === result.surviving.length &&
      surviving.every((one, at) => Object.is(one, result.surviving[at])));
  return isSame ? [] : ["reduceSync keeps other messages than reduce"];
}
