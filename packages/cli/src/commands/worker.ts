import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type DurableEvent, durable, type HookContext } from "keepsake";
import { CliError } from "../errors.ts";
import { type OutboxPlace, withOutbox } from "../outbox-database.ts";
import { oneLine } from "../output/text.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** The options of `keepsake worker`. */
export interface WorkerOptions extends CommonOptions, OutboxPlace {
  /** A module. */
  readonly hook: string;
  readonly export?: string;
  readonly name?: string;
  readonly concurrency?: number;
  readonly leaseMs?: number;
  readonly maxAttempts?: number;
  /** What hooks have left after the signal; then theirs is aborted. */
  readonly stopMs: number;
  readonly drain?: boolean;
}

type HookFunction = (messages: unknown[], namespace: unknown, context: HookContext) => unknown;

/**
 * Works off the deliveries of a hook until the process is asked to end; what runs then is finished first, or aborted when its time is over.
 * A hook that goes on all the same ends with the process.
 */
export async function worker(options: WorkerOptions, { screen }: CommandContext): Promise<void> {
  const { fn, name } = await loadHook(options);
  const running = new Set<string>();
  let delivered = 0;
  let failed = 0;
  const onEvent = (event: DurableEvent): void => {
    if (event.type === "delivered") delivered += 1;
    else failed += 1;
    const reason = event.error === undefined ? "" : `: ${oneLine(String(event.error))}`;
    screen.line(`${event.type}  ${oneLine(event.deliveryId)}  attempt ${event.attempt}${reason}`);
  };
  const run: HookFunction = async (messages, namespace, context) => {
    running.add(context.deliveryId);
    try {
      return await fn(messages, namespace, context);
    } finally {
      running.delete(context.deliveryId);
    }
  };
  await withOutbox(options, { make: true }, async (outbox) => {
    const hook = durable(run, { ...settingsOf(options), name, outbox, onEvent });
    const request = listen();
    if (options.drain !== true) {
      screen.line(`working for "${oneLine(name)}"; ends with SIGTERM or SIGINT`);
      hook.start();
    }
    await (options.drain === true ? Promise.race([hook.drain(), request.made]) : request.made);
    request.end();
    await hook.stop({ deadlineMs: options.stopMs });
  });
  screen.document({ hook: name, delivered, failed, unfinished: running.size });
  screen.line(`${delivered} delivered, ${failed} failed`);
  for (const id of running) screen.line(`unfinished  ${oneLine(id)}  is run again when its lease is over`);
}

function settingsOf({ concurrency, leaseMs, maxAttempts }: WorkerOptions) {
  return { concurrency, leaseMs, maxAttempts };
}

/** Waits for the first signal; a second one ends the process at once, as signals do. */
function listen(): { readonly made: Promise<void>; end(): void } {
  let made = (): void => {};
  const request = new Promise<void>((resolve) => {
    made = resolve;
  });
  // Signals keep no process running, and neither do a worker's pauses.
  const alive = setInterval(() => undefined, 60_000);
  for (const signal of signals) process.once(signal, made);
  return {
    made: request,
    end() {
      clearInterval(alive);
      for (const signal of signals) process.off(signal, made);
    },
  };
}

const signals = ["SIGTERM", "SIGINT"] as const;

/** The function that a module exports, and the name by which its deliveries are known. */
async function loadHook(
  options: WorkerOptions,
): Promise<{ readonly fn: HookFunction; readonly name: string }> {
  const path = options.hook;
  const module = await import(pathToFileURL(resolve(path)).href).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("unreadable_file", `The hook "${path}" cannot be loaded: ${reason}`, { cause });
  });
  const exported: Readonly<Record<string, unknown>> = module;
  const wanted = options.export ?? ("default" in exported ? "default" : "hook");
  const fn = exported[wanted];
  if (!isHook(fn)) {
    throw new CliError(
      "usage",
      `"${path}" exports no function "${wanted}". Export the hook as default or as \`hook\`, or name it with --export.`,
    );
  }
  const name = options.name ?? exported.name;
  if (typeof name === "string" && name !== "") return { fn, name };
  throw new CliError(
    "usage",
    `The hook of "${path}" has no name. Give --name the \`name\` that the app gives to durable(), or export it as \`name\`.`,
  );
}

function isHook(value: unknown): value is HookFunction {
  return typeof value === "function";
}
