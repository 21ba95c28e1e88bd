import type { DemoMessage } from "../demo/conversation.ts";
import type { DemoAnswer, DemoCounts, DemoStep } from "../demo/outcome.ts";
import { formatNamespace } from "../namespace.ts";
import { searchCommand } from "./command-line.ts";
import { contentOf, itemDocument, itemHeading } from "./items.ts";
import { lineOf } from "./messages.ts";
import type { Screen, Surroundings } from "./screen.ts";
import { oneLine, padEnd, truncate, wrap } from "./text.ts";

/** What the demo tells while it runs. */
export interface DemoReport {
  begin(): void;
  turn(step: DemoStep): void;
  newThread(): void;
  answer(answer: DemoAnswer): void;
  end(counts: DemoCounts, answers: readonly DemoAnswer[]): void;
}

/** Where the demo writes, and its window. */
export interface DemoSetting {
  readonly db: string;
  readonly namespace: string[];
  readonly maxMessages: number;
  readonly minMessages: number;
}

/** A report on the screen: turn by turn for people, one document at the end for programs. */
export function createDemoReport(
  screen: Screen,
  setting: DemoSetting,
  surroundings: Surroundings,
): DemoReport {
  const { db, namespace, maxMessages, minMessages } = setting;
  const { style } = screen;
  const steps: DemoStep[] = [];
  return {
    begin() {
      screen.line(style.bold("A traveller and her agent, 30 turns."));
      screen.line(
        `The window holds ${maxMessages} messages; one more, and it is cut back towards ${minMessages}.`,
      );
      screen.line(`What leaves is stored in ${oneLine(db)}, namespace ${formatNamespace(namespace)}.`);
      screen.line(style.dim("s system, u user, c tool call, t tool result, a answer, and the turn's number"));
    },
    turn(step) {
      steps.push(step);
      printTurn(screen, step, maxMessages);
    },
    newThread() {
      screen.line();
      screen.line(style.bold("A new thread begins. Its window is empty; it asks the store."));
    },
    answer(answer) {
      printAnswer(screen, answer, namespace);
    },
    end(counts, answers) {
      const command = searchCommand(surroundings, { query: "which seat on the long flight", namespace, db });
      screen.document(documentOf({ setting, steps, counts, answers, command }));
      printCounts(screen, counts);
      screen.line("The database is kept. Search it:");
      screen.line(`  ${command}`);
    },
  };
}

function printTurn(screen: Screen, { turn, window, left, stored }: DemoStep, maxMessages: number): void {
  const { style, width } = screen;
  const said = (message: DemoMessage | undefined, room = width - 12): string =>
    message === undefined ? "" : truncate(lineOf(message), room);
  const label = (text: string): string => `     ${padEnd(text, 6)} `;
  const user = turn.messages.find(({ role }) => role === "user");
  screen.line();
  screen.line(
    `${style.bold(String(turn.number).padStart(3))}  ${style.cyan(padEnd("user", 6))} ${said(user)}`,
  );
  screen.line(`${label("agent")}${said(turn.messages.at(-1))}`);
  const size = `${window.length}/${maxMessages}`;
  screen.line(style.dim(`${label("window")}${padEnd(size, 6)}${window.map(glyphOf).join(" ")}`));
  if (left.length === 0) return;
  screen.line(
    `${label("left")}${style.yellow(`${padEnd(String(left.length), 6)}${left.map(glyphOf).join(" ")}`)}`,
  );
  const count = `+${left.length}, ${stored} in all`;
  const first = left.find(({ role }) => role === "user") ?? left[0];
  screen.line(
    `${label("stored")}${style.green(count)}  ${style.dim(said(first, width - 14 - count.length))}`,
  );
}

/** A message in few characters: its kind, and the number of its turn. */
function glyphOf(message: DemoMessage): string {
  if (message.role === "system") return "s";
  const turn = message.id.split(".")[0] ?? "";
  const kind =
    message.role === "assistant" ? (message.tool_calls === undefined ? "a" : "c") : message.role.slice(0, 1);
  return `${kind}${turn}`;
}

function printAnswer(
  screen: Screen,
  { question, answer, found, isAnswered }: DemoAnswer,
  namespace: string[],
): void {
  const { style, width } = screen;
  screen.line();
  screen.line(`  ?  ${style.cyan(question)}`);
  if (found === undefined) screen.line(`     ${style.red("nothing found")}`);
  else {
    const mark = isAnswered ? style.green("✓") : style.red("✗");
    screen.line(`  ${mark}  ${itemHeading(found, namespace, style)}`);
    for (const line of wrap(contentOf(found), width - 5, 4))
      screen.line(`     ${line.replaceAll(answer, style.bold)}`);
  }
}

function printCounts(screen: Screen, { produced, inWindow, deliveredOnce, stored }: DemoCounts): void {
  screen.line();
  const rows = [
    ["messages produced", produced],
    ["in the window", inWindow],
    ["delivered once each", deliveredOnce],
    ["stored", stored],
  ] as const;
  for (const [label, count] of rows) screen.line(`  ${padEnd(label, 20)} ${String(count).padStart(3)}`);
  const sum = `${inWindow} + ${deliveredOnce} = ${inWindow + deliveredOnce}`;
  screen.line(`  ${sum}${inWindow + deliveredOnce === produced ? ": nothing is lost" : `, not ${produced}`}`);
  screen.line();
}

interface DocumentParts {
  readonly setting: DemoSetting;
  readonly steps: readonly DemoStep[];
  readonly counts: DemoCounts;
  readonly answers: readonly DemoAnswer[];
  readonly command: string;
}

function documentOf({ setting, steps, counts, answers, command }: DocumentParts): unknown {
  const { db, namespace } = setting;
  return {
    db,
    namespace,
    turns: steps.map(({ turn, window, left, stored }) => ({
      turn: turn.number,
      window: window.map(({ id }) => id),
      left: left.map(({ id }) => id),
      stored,
    })),
    questions: answers.map(({ question, answer, found, isAnswered }) => ({
      question,
      answer,
      answered: isAnswered,
      found: found === undefined ? null : itemDocument(found),
    })),
    counts: {
      produced: counts.produced,
      in_window: counts.inWindow,
      delivered_once: counts.deliveredOnce,
      stored: counts.stored,
    },
    search: command,
  };
}
