import { viewOf, type WindowProvider, type WindowViolation } from "keepsake";
import type { Fed, Placed } from "../conversation/feed.ts";
import type { Message } from "../conversation/parse-conversation.ts";
import { formatNamespace } from "../namespace.ts";
import { searchCommand } from "./command-line.ts";
import { lineOf, messageRole } from "./messages.ts";
import type { Screen, Surroundings } from "./screen.ts";
import { oneLine, padEnd, truncate } from "./text.ts";

/** What a replay did. */
export interface Replayed extends Fed {
  readonly file: string;
  readonly db: string;
  readonly namespace: string[];
  readonly thread: string;
  readonly messages: readonly Message[];
  /** Messages that were stored, and how many of them were not there before. */
  readonly remembered: { readonly count: number; readonly created: number };
  /** What the reducer warned of. */
  readonly warnings: readonly string[];
  /** What a provider would refuse in the window, where that was asked. */
  readonly checked: Checked | undefined;
}

/** A window held against a provider's rules. */
export interface Checked {
  readonly provider: WindowProvider;
  /** By the places in the file. */
  readonly violations: readonly WindowViolation[];
}

/** Of a longer list, so many messages are shown from the beginning and from the end. */
const shownStayed = 10;
const shownLeft = 5;

/** Prints what a replay did: what stayed, what left, what was remembered. */
export function printReplay(screen: Screen, replayed: Replayed, surroundings: Surroundings): void {
  screen.document(documentOf(replayed));
  const { file, messages, stayed, left, overBudget, warnings } = replayed;
  const { style } = screen;
  screen.line(`${style.bold(oneLine(file === "-" ? "standard input" : file))}: ${describe(messages)}`);
  printList(screen, "stayed in the window", stayed, shownStayed);
  printList(screen, "left the window", left, shownLeft);
  if (overBudget) screen.line(style.yellow("The window is over its limit: what must stay does not fit."));
  for (const warning of warnings) screen.line(style.yellow(oneLine(warning)));
  for (const note of notesOn(messages)) screen.line(style.yellow(note));
  printChecked(screen, replayed.checked);
  printRemembered(screen, replayed, surroundings);
}

function printChecked(screen: Screen, checked: Checked | undefined): void {
  if (checked === undefined) return;
  const { style } = screen;
  const { provider, violations } = checked;
  screen.line();
  if (violations.length === 0) {
    screen.line(`${style.bold("checked")}: the window is valid ${byRules(provider)}`);
    return;
  }
  screen.line(`${style.bold("checked")}: the window is not valid ${byRules(provider)}`);
  for (const { message, fix, rule } of violations) {
    screen.line(style.yellow(`  ${oneLine(message)} ${fix}`));
    screen.line(style.dim(`    ${rule}`));
  }
}

/** By whose rules a window is valid, in a sentence: one provider's own are none of those that are shared. */
export function byRules(provider: WindowProvider): string {
  return provider === "any" ? "by the rules that at least two providers share" : `for ${provider}`;
}

function documentOf(replayed: Replayed): unknown {
  const { file, db, namespace, thread, messages, stayed, left, overBudget, remembered, warnings } = replayed;
  return {
    file,
    messages: messages.length,
    stayed: stayed.map(placedDocument),
    left: left.map(placedDocument),
    over_budget: overBudget,
    remembered,
    namespace,
    thread,
    db,
    warnings: [...warnings, ...notesOn(messages)],
    ...(replayed.checked === undefined ? {} : { check: replayed.checked }),
  };
}

function placedDocument({ index, message }: Placed): unknown {
  const { id, text } = viewOf(message);
  return { index, role: messageRole(message), id, text };
}

/** `95 messages (30 user, 46 assistant, 18 tool, 1 system)`. */
function describe(messages: Replayed["messages"]): string {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const role = messageRole(message);
    counts.set(role, (counts.get(role) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([role, count]) => `${count} ${role}`);
  const many = parts.length > 6 ? [...parts.slice(0, 6), "…"] : parts;
  return `${counted(messages.length)}${parts.length === 0 ? "" : ` (${many.join(", ")})`}`;
}

function printList(screen: Screen, title: string, placed: readonly Placed[], shown: number): void {
  screen.line();
  screen.line(`${screen.style.bold(title)}: ${counted(placed.length)}`);
  const isCut = placed.length > shown * 2 + 1;
  const head = isCut ? placed.slice(0, shown) : placed;
  const indexWidth = Math.max(5, ...placed.slice(-1).map(({ index }) => `[${index}]`.length));
  for (const entry of head) printPlaced(screen, entry, indexWidth);
  if (!isCut) return;
  screen.line(screen.style.dim(`  … ${placed.length - shown * 2} more (--json lists all)`));
  for (const entry of placed.slice(-shown)) printPlaced(screen, entry, indexWidth);
}

function printPlaced(screen: Screen, { index, message }: Placed, indexWidth: number): void {
  const head = `  ${padEnd(`[${index}]`, indexWidth)} ${padEnd(truncate(messageRole(message), 9), 9)} `;
  screen.line(`${screen.style.dim(head)} ${truncate(lineOf(message), screen.width - head.length - 1)}`);
}

function printRemembered(screen: Screen, replayed: Replayed, surroundings: Surroundings): void {
  const { remembered, namespace, db } = replayed;
  const { style } = screen;
  const { count, created } = remembered;
  screen.line();
  if (count === 0) {
    screen.line(`${style.bold("remembered")}: nothing; ${oneLine(db)} was not touched`);
    return;
  }
  const known = count - created;
  const news = known === 0 ? "all of them new" : `${created} new, ${known} that were there already`;
  const place = oneLine(formatNamespace(namespace));
  screen.line(
    `${style.bold("remembered")}: ${counted(count)} in ${place} (${news}), database ${oneLine(db)}`,
  );
  const query = "what you look for";
  screen.line(style.dim(searchCommand(surroundings, { query, namespace, db })));
}

/** What is accepted, but is easily a mistake in the file. */
function notesOn(messages: Replayed["messages"]): string[] {
  const unknown = new Map<string, number>();
  const silent: number[] = [];
  for (const [index, message] of messages.entries()) {
    const { role, text, calls, results } = viewOf(message);
    if (role === "other") {
      const own = messageRole(message);
      unknown.set(own, (unknown.get(own) ?? 0) + 1);
    }
    if (text.trim() === "" && calls.length + results.length === 0) silent.push(index);
  }
  return [
    ...[...unknown].slice(0, 5).map(([role, count]) => {
      return `${counted(count)} of role "${role}", which keepsake does not know: kept in the window, never pruned.`;
    }),
    ...(silent.length === 0
      ? []
      : [`${counted(silent.length)} without a text that keepsake can read, first messages[${silent[0]}].`]),
  ];
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "message" : "messages"}`;
}
