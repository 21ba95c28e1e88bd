import { KeepsakeError } from "../errors/index.ts";
import { calledBy, type MessageRecord, recordOf, trait } from "../message/index.ts";
import { didYouMean } from "../util/index.ts";
import { ownRules, ruleTexts, specialRules, type WindowRule } from "./window-rules.ts";

/**
 * A provider whose rules are known. `any`: the rules that at least two of them share, and not those of one alone (`duplicate-item`,
 * `result-after-text`, `roles-alternate`).
 */
export type WindowProvider = keyof typeof ownRules;

/** Options of {@link validateWindow}. */
export interface ValidateWindowOptions {
  /** Default: `"any"`. */
  readonly provider?: WindowProvider | undefined;
}

/** Why a provider would refuse a window. */
export interface WindowViolation {
  readonly rule: WindowRule;
  /** The index of the message. */
  readonly index: number;
  /** What is wrong, and which value. */
  readonly message: string;
  /** What to do. */
  readonly fix: string;
}

/**
 * What a provider would refuse in a window, in the order of its messages: results without their call, calls without their results, empty
 * messages, and more. What is open at the end is none of it: its results are yet to come. Never changes a message.
 *
 * @example
 * ```ts
 * validateWindow([{ role: "tool", tool_call_id: "c1", content: "21 °C" }], { provider: "openai-chat" })[0]?.rule; // "orphan-result"
 * ```
 *
 * @throws {KeepsakeError} invalid_input: an unknown provider, or no array
 */
export function validateWindow(
  messages: readonly unknown[],
  { provider = "any" }: ValidateWindowOptions = {},
): WindowViolation[] {
  if (!Array.isArray(messages))
    throw new KeepsakeError("invalid_input", "validateWindow: expected an array.");
  const rules = rulesOf(provider);
  const violations: WindowViolation[] = [];
  const walk: Walk = {
    report: (rule, index, value = "") => {
      if (specialRules.has(rule) && !rules.includes(rule)) return;
      const [problem, fix] = ruleTexts[rule];
      violations.push({
        rule,
        index,
        message: `messages[${index}] ${problem.replace("$", () => value)}.`,
        fix,
      });
    },
    open: new Map(),
    offers: new Set(),
    names: new Map(),
    answers: 0,
    thought: undefined,
    reasoned: false,
    called: new Set(),
    items: new Set(),
    previous: undefined,
  };
  for (let index = 0; index < messages.length; index += 1) {
    const record = recordOf(messages[index]);
    if (record === undefined) walk.report("unreadable-message", index);
    else if (record.blank) walk.report("empty-message", index);
    else if (record.view.role !== "other") visit(walk, record, index);
  }
  return violations.sort((left, right) => left.index - right.index);
}

function rulesOf(provider: WindowProvider): readonly WindowRule[] {
  const known = Object.keys(ownRules);
  if (known.includes(provider)) return ownRules[provider];
  const meant = didYouMean(String(provider), known);
  const hint = meant === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${meant}"?`;
  throw new KeepsakeError("invalid_input", `validateWindow: unknown provider "${String(provider)}". ${hint}`);
}

/** Where the walk over a window is. */
interface Walk {
  readonly report: (rule: WindowRule, index: number, value?: string) => void;
  /** What the assistant's turn waits for, and who asks. */
  readonly open: Map<string, number>;
  /** What may be answered, and may be left. */
  readonly offers: Set<string>;
  /** The tools of the turn's calls: results may name the tool only. */
  readonly names: Map<string, string>;
  /** How many messages have answered the turn. */
  answers: number;
  /** The reasoning that nothing has followed yet. */
  thought: number | undefined;
  /** True where the turn began with reasoning. */
  reasoned: boolean;
  /** Every call of the window so far. */
  readonly called: Set<string>;
  /** Every id that OpenAI has given to an item. */
  readonly items: Set<string>;
  /** The last message that was neither a prompt nor of an unknown role. */
  previous: MessageRecord | undefined;
}

function visit(walk: Walk, record: MessageRecord, index: number): void {
  const { view, nature } = record;
  const { id } = view;
  // Ids that hosts make up for items without are no ids to OpenAI.
  if (nature.item && id !== undefined && /^[a-z]+_/.test(id)) {
    if (walk.items.has(id)) walk.report("duplicate-item", index, id);
    walk.items.add(id);
  }
  place(walk, record, index);
  if ((record.traits & trait.result) !== 0) answer(walk, record, index);
  else if (!continues(walk, record)) close(walk);
  if (nature.binds) {
    walk.reasoned ||= walk.open.size === 0;
    walk.thought ??= index;
  } else if (view.role === "ai") walk.thought = undefined;
  ask(walk, record, index);
}

/** What only depends on the message before. */
function place(walk: Walk, record: MessageRecord, index: number): void {
  const { view, parts, nature } = record;
  const { previous, report } = walk;
  if (view.role === "system" && previous !== undefined) report("system-in-the-middle", index);
  if (view.role === "system" || view.role === "function") return;
  if (previous === undefined && view.role === "ai") report("first-not-user", index);
  // Results in messages of their own are the only ones that every adapter makes one message of.
  const isJoined =
    view.role === "tool" ? previous?.view.role === "tool" : nature.item && previous?.nature.item;
  const isSame = previous !== undefined && (previous.view.role === "ai") === (view.role === "ai");
  if (isSame && !isJoined) report("roles-alternate", index);
  const text = parts.findIndex(({ kind }) => kind === "text" || kind === "media");
  if (view.role === "human" && text >= 0 && parts.findLastIndex(({ kind }) => kind === "result") > text)
    report("result-after-text", index);
  walk.previous = record;
}

function answer(walk: Walk, record: MessageRecord, index: number): void {
  const { answers, view, parts } = record;
  const given = parts.flatMap((part) => part.answers ?? []).filter((id) => answers.includes(id));
  for (const id of given.length > answers.length ? given : answers) {
    if (walk.open.delete(id) || walk.offers.delete(id)) continue;
    // A call that another answer names by its id is not for this one.
    const waiting = [...walk.open.keys()].filter((call) => !answers.includes(call));
    const calls = waiting.map((call) => ({ id: call, name: walk.names.get(call) }));
    if (walk.open.delete(calledBy(record, id, calls) ?? "")) continue;
    walk.report(view.results.includes(id) ? "orphan-result" : "approval-without-request", index, id);
  }
  if (answers.length === 0) walk.report("orphan-result", index);
  if (walk.thought !== undefined && view.role !== "ai") walk.report("reasoning-alone", walk.thought);
  walk.thought = undefined;
  // What the provider ran itself is answered within the assistant's turn.
  if (view.role !== "ai") walk.answers += 1;
  if (view.startsTurn) close(walk);
}

/** True where a message belongs to the assistant's turn before it. */
function continues(walk: Walk, { traits, view, nature }: MessageRecord): boolean {
  if (view.role !== "ai") return false;
  if (nature.caller !== undefined && walk.open.has(nature.caller)) return true;
  const isCall = (traits & trait.calls) !== 0;
  // The calls of one answer may be carried out one by one.
  if (walk.answers > 0) return nature.item === true && isCall && walk.reasoned;
  return isCall || nature.binds === true || nature.item === true || walk.thought !== undefined;
}

function close(walk: Walk): void {
  for (const [id, index] of walk.open) walk.report("missing-result", index, id);
  if (walk.thought !== undefined) walk.report("reasoning-alone", walk.thought);
  walk.open.clear();
  walk.offers.clear();
  walk.names.clear();
  walk.answers = 0;
  walk.thought = undefined;
  walk.reasoned = false;
}

function ask(walk: Walk, { asks, calls, nature }: MessageRecord, index: number): void {
  const { open, called, report } = walk;
  const { names = new Map<string, string>(), offers = [] } = nature;
  for (const { id } of calls) {
    if (id === undefined || names.has(id)) continue;
    if (called.has(id)) report("duplicate-call", index, id);
    called.add(id);
  }
  for (const id of asks) {
    const earlier = open.get(id);
    if (earlier !== undefined) report("missing-result", earlier, id);
    open.set(id, index);
  }
  for (const id of offers) walk.offers.add(id);
  for (const { id, name } of calls) if (id !== undefined) walk.names.set(id, name);
}
