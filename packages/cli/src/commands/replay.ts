import { basename, extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type HookContext,
  MessageReducer,
  type ReducerConfig,
  validateWindow,
  type WindowProvider,
} from "keepsake";
import { rememberVerbatim } from "keepsake/memory";
import { type Fed, feed, type Placed } from "../conversation/feed.ts";
import { identified } from "../conversation/identify.ts";
import { type Message, parseConversation } from "../conversation/parse-conversation.ts";
import { openSource, readText } from "../conversation/read-text.ts";
import { withNewDatabase } from "../database.ts";
import { CliError } from "../errors.ts";
import type { Progress } from "../output/progress.ts";
import { byRules, type Checked, printReplay, type Replayed } from "../output/replay-report.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** The options of `keepsake replay`. */
export interface ReplayCommandOptions extends CommonOptions {
  readonly maxMessages?: number;
  readonly minMessages?: number;
  readonly maxTokens?: number;
  readonly targetTokens?: number;
  readonly boundary?: "turn" | "message";
  readonly namespace?: string[];
  readonly thread?: string;
  readonly handOver?: boolean;
  readonly check?: boolean;
  readonly provider?: WindowProvider;
}

/** Runs a conversation through a window and remembers what leaves it. Nothing is written before all of it was read and reduced. */
export async function replay(
  file: string,
  options: ReplayCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { screen, progress, surroundings } = context;
  const name = file === "-" ? "stdin" : basename(file, extname(file));
  const { namespace = ["memories", name], thread = name, db } = options;
  const delivered: Message[] = [];
  const warnings: string[] = [];
  const reducer = new MessageReducer<Message>({
    ...windowOf(options),
    onPrune: [
      (pruned) => {
        for (const message of pruned) delivered.push(message);
      },
    ],
    logger: { debug: () => {}, warn: (message) => void warnings.push(message) },
  });
  try {
    const messages = await readMessages(file, surroundings.stdin, progress);
    progress.phase("reducing", messages.length);
    const fed = await feed(reducer, messages, { namespace, threadId: thread, onMessages: progress.update });
    if (options.handOver === true) {
      await reducer.handOver({ messages: messages.filter(stays(fed)), namespace, threadId: thread });
    }
    const checked = options.check === true ? check(fed, options.provider) : undefined;
    const remembered = await store(delivered, { db, namespace, thread, progress });
    progress.stop();
    printReplay(
      screen,
      { ...fed, file, db, namespace, thread, messages, remembered, warnings, checked },
      surroundings,
    );
    demandValid(checked);
  } finally {
    progress.stop();
  }
}

function windowOf(options: ReplayCommandOptions): ReducerConfig<Message> {
  const { maxMessages, minMessages, maxTokens, targetTokens, boundary } = options;
  return { maxMessages, minMessages, maxTokens, targetTokens, boundary };
}

/** What the provider would refuse in the window, told by the places in the file. */
function check({ stayed }: Fed, provider: WindowProvider = "any"): Checked {
  const window = stayed.map(({ message }) => message);
  const violations = validateWindow(window, { provider }).map(({ message, index, ...violation }) => {
    const place = stayed[index]?.index ?? index;
    return { ...violation, index: place, message: message.replace(/^messages\[\d+\]/, `messages[${place}]`) };
  });
  return { provider, violations };
}

function demandValid(checked: Checked | undefined): void {
  if (checked === undefined || checked.violations.length === 0) return;
  const { provider, violations } = checked;
  const reasons = `${violations.length} ${violations.length === 1 ? "reason" : "reasons"}`;
  throw new CliError("check_failed", `The window is not valid ${byRules(provider)}: ${reasons}.`);
}

function stays({ stayed }: Fed): (message: Message) => boolean {
  const messages = new Set(stayed.map(({ message }: Placed) => message));
  return (message) => messages.has(message);
}

async function readMessages(
  file: string,
  stdin: AsyncIterable<Uint8Array>,
  progress: Progress,
): Promise<Message[]> {
  const source = await openSource(file, stdin);
  progress.phase("reading", source.size ?? 0);
  const text = await readText(source, progress.update);
  return identified(parseConversation(text, source.label));
}

interface StoreOptions {
  readonly db: string;
  readonly namespace: string[];
  readonly thread: string;
  readonly progress: Progress;
}

/** So many messages are stored at a time: then the bar moves. */
const partSize = 1000;

/** Stores what left the window, in one transaction: an error leaves nothing behind. */
async function store(
  messages: readonly Message[],
  { db, namespace, thread, progress }: StoreOptions,
): Promise<Replayed["remembered"]> {
  if (messages.length === 0) return { count: 0, created: 0 };
  progress.phase("storing", messages.length);
  return withNewDatabase(db, ({ store: memory, atOnce }) =>
    atOnce(async () => {
      const before = await memory.count(namespace);
      const remember = rememberVerbatim(memory);
      for (let start = 0; start < messages.length; start += partSize) {
        await remember(messages.slice(start, start + partSize), namespace, deliveryOf(start, thread));
        progress.update(Math.min(start + partSize, messages.length));
        // libsql lets go of its rows only when the event loop turns; without this, a large replay takes gigabytes.
        await setImmediate();
      }
      return { count: messages.length, created: (await memory.count(namespace)) - before };
    }),
  );
}

function deliveryOf(start: number, threadId: string): HookContext {
  return { deliveryId: `replay-${start}`, attempt: 1, threadId, signal: new AbortController().signal };
}
