import { MessageReducer, viewOf } from "keepsake";
import { rememberVerbatim } from "keepsake/memory";
import type { Store } from "keepsake/store";
import { withNewDatabase } from "../database.ts";
import { type DemoMessage, demoTurns } from "../demo/conversation.ts";
import type { DemoAnswer, DemoCounts } from "../demo/outcome.ts";
import { questions } from "../demo/script.ts";
import { CliError } from "../errors.ts";
import { createDemoReport, type DemoReport } from "../output/demo-report.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

const maxMessages = 10;
const minMessages = 6;

/** Runs a scripted conversation through a small window and asks for what left it. */
export async function demo({ db }: CommonOptions, { screen, surroundings }: CommandContext): Promise<void> {
  const namespace = ["demo", runName(new Date())];
  const report = createDemoReport(screen, { db, namespace, maxMessages, minMessages }, surroundings);
  const outcome = await withNewDatabase(db, async ({ store }) => {
    const deliveries = new Map<string, number>();
    const window = await converse(store, { namespace, deliveries, report });
    const answers = await askInNewThread(store, { namespace, window, report });
    const counts = await countUp(store, { namespace, window, deliveries });
    report.end(counts, answers);
    return { counts, answers, deliveries };
  });
  checkClaims(outcome);
}

interface ConverseOptions {
  readonly namespace: string[];
  /** How often each message was delivered, by id. */
  readonly deliveries: Map<string, number>;
  readonly report: DemoReport;
}

async function converse(
  store: Store,
  { namespace, deliveries, report }: ConverseOptions,
): Promise<readonly DemoMessage[]> {
  const count = (messages: DemoMessage[]): void => {
    for (const { id } of messages) deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
  };
  const reducer = new MessageReducer<DemoMessage>({
    maxMessages,
    minMessages,
    onPrune: [rememberVerbatim(store), count],
  });
  report.begin();
  let window: DemoMessage[] = [];
  for (const turn of demoTurns()) {
    const incoming = [...turn.messages];
    const result = await reducer.reduce({ existing: window, new: incoming, namespace, threadId: "planning" });
    window = result.surviving;
    report.turn({ turn, window, left: result.pruned, stored: await store.count(namespace) });
  }
  return window;
}

/** The new thread has an empty window: whatever it knows comes from the store. */
async function askInNewThread(
  store: Store,
  options: {
    readonly namespace: string[];
    readonly window: readonly DemoMessage[];
    readonly report: DemoReport;
  },
): Promise<DemoAnswer[]> {
  const { namespace, window, report } = options;
  report.newThread();
  const answers: DemoAnswer[] = [];
  for (const { question, answer } of questions) {
    const [found] = await store.search(namespace, { query: question, limit: 1 });
    const isInWindow = window.some((message) => textOf(message).includes(answer));
    const isFound = found !== undefined && String(found.value.content).includes(answer);
    const asked: DemoAnswer = { question, answer, found, isAnswered: isFound && !isInWindow };
    report.answer(asked);
    answers.push(asked);
  }
  return answers;
}

/** All that a message says, tool calls included. */
function textOf(message: DemoMessage): string {
  return `${viewOf(message).text}\n${JSON.stringify(message.tool_calls ?? "")}`;
}

async function countUp(
  store: Store,
  options: {
    readonly namespace: string[];
    readonly window: readonly DemoMessage[];
    readonly deliveries: ReadonlyMap<string, number>;
  },
): Promise<DemoCounts> {
  const { namespace, window, deliveries } = options;
  return {
    produced: demoTurns().flatMap(({ messages }) => messages).length,
    inWindow: window.length,
    deliveredOnce: [...deliveries.values()].filter((times) => times === 1).length,
    stored: await store.count(namespace),
  };
}

function checkClaims({
  counts,
  answers,
  deliveries,
}: {
  readonly counts: DemoCounts;
  readonly answers: readonly DemoAnswer[];
  readonly deliveries: ReadonlyMap<string, number>;
}): void {
  const { produced, inWindow, deliveredOnce, stored } = counts;
  const failures = [
    ...(produced === inWindow + deliveredOnce ? [] : ["messages in the window and delivered do not add up"]),
    ...(deliveries.size === deliveredOnce ? [] : ["a message was delivered more than once"]),
    ...(stored === deliveredOnce ? [] : ["what is stored is not what was delivered"]),
    ...answers.filter(({ isAnswered }) => !isAnswered).map(({ question }) => `not found: ${question}`),
  ];
  if (failures.length > 0)
    throw new CliError("check_failed", `The demo does not hold: ${failures.join("; ")}.`);
}

/** A namespace of its own for each run, so that it never touches anyone's data: `2026-05-12-103307-x4k9`. */
function runName(now: Date): string {
  const time = now.toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "");
  return `${time}-${Math.random().toString(36).slice(2, 6)}`;
}
