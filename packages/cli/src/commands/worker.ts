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
  readonly drain?: boolean;
}

type HookFunction = (messages: unknown[], namespace: unknown, context: HookContext) => unknown;

/** Works off the deliveries of a hook until the process is asked to end; what runs then is finished first. */
export async function worker(options: WorkerOptions, { screen }: CommandContext): Promise<void> {
  const { fn, name } = await loadHook(options);
  let delivered = 0;
  let failed = 0;
  const onEvent = (event: DurableEvent): void => {
    if (event.type === "delivered") delivered += 1;
    else failed += 1;
    const reason = event.error === undefined ? "" : `: ${oneLine(String(event.error))}`;
    screen.line(`${event.type}  ${oneLine(event.deliveryId)}  attempt ${event.attempt}${reason}`);
  };
  await withOutbox(options, { make: true }, async (outbox) => {
    const hook = durable(fn, { ...settingsOf(options), name, outbox, onEvent });
    if (options.drain === true) {
      await hook.drain();
      return;
    }
    const asked = endRequest();
    screen.line(`working for "${oneLine(name)}"; ends with SIGTERM or SIGINT`);
    hook.start();
    await asked;
    await hook.stop();
  });
  screen.document({ hook: name, delivered, failed });
  screen.line(`${delivered} delivered, ${failed} failed`);
}

function settingsOf({ concurrency, leaseMs, maxAttempts }: WorkerOptions) {
  return { concurrency, leaseMs, maxAttempts };
}

/** Resolves with the first signal; a second one ends the process at once, as signals do. */
function endRequest(): Promise<void> {
  return new Promise((resolve) => {
    // Signals keep no process running, and neither do a worker's pauses.
    const alive = setInterval(() => undefined, 60_000);
    const end = (): void => {
      clearInterval(alive);
      for (const signal of signals) process.off(signal, end);
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
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
