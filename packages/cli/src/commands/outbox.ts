import type { DeliveryRecord, Json } from "keepsake";
import { CliError } from "../errors.ts";
import { formatNamespace } from "../namespace.ts";
import { type OpenOutbox, type OutboxPlace, withOutbox } from "../outbox-database.ts";
import type { Screen } from "../output/screen.ts";
import { oneLine, padEnd, textWidth, truncate } from "../output/text.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** The options of every `keepsake outbox` command. */
export interface OutboxOptions extends CommonOptions, OutboxPlace {
  readonly hook?: string;
}

/** The options of `keepsake outbox list`. */
export interface OutboxListOptions extends OutboxOptions {
  readonly state?: DeliveryRecord["state"];
  readonly limit: number;
  readonly after?: string;
}

const existing = { make: false };

/** Lists deliveries, oldest first. */
export async function listDeliveries(options: OutboxListOptions, { screen }: CommandContext): Promise<void> {
  const { hook, state, limit, after } = options;
  const found = await withOutbox(options, existing, async (outbox) =>
    outbox.deliveries({ hook, state, limit: limit + 1, after }),
  );
  const rows = found.slice(0, limit);
  const next = found.length > limit ? (rows.at(-1)?.deliveryId ?? null) : null;
  screen.document({ deliveries: rows.map(rowDocument), next_after: next });
  if (rows.length === 0) screen.line(after === undefined ? "There is no delivery." : "There are no more.");
  for (const row of rows) printRow(screen, row);
  if (next !== null) screen.line(screen.style.dim(`more with --after ${oneLine(next)}`));
}

/** Shows one delivery, with its messages. */
export async function showDelivery(
  id: string,
  options: OutboxOptions,
  { screen }: CommandContext,
): Promise<void> {
  const delivery = await withOutbox(options, existing, (outbox) => find(outbox, id));
  screen.document({ ...rowDocument(delivery), bodies: delivery.bodies });
  const { state, attempts, threadId, error, hook, namespace, enqueuedAt, bodies } = delivery;
  const facts: [string, string | undefined][] = [
    ["delivery", id],
    ["hook", hook],
    ["namespace", namespaceName(namespace)],
    ["thread", threadId],
    ["state", state],
    ["attempts", String(attempts)],
    ["enqueued", enqueuedAt.toISOString()],
    ["error", error],
  ];
  for (const [name, value] of facts) {
    if (value !== undefined) screen.line(`${padEnd(name, 9)}  ${oneLine(value)}`);
  }
  for (const body of bodies) screen.line(`  ${truncate(oneLine(JSON.stringify(body)), screen.width - 2)}`);
}

/** Makes a dead letter pending, or all of them. */
export async function retryDelivery(
  id: string | undefined,
  options: OutboxOptions & { readonly all?: boolean },
  { screen }: CommandContext,
): Promise<void> {
  if ((id === undefined) === (options.all !== true)) {
    throw new CliError("usage", "Name a delivery, or --all for every dead letter: one of the two.");
  }
  const retried = await withOutbox(options, existing, async (outbox) => {
    if (id === undefined) return retryAll(outbox, options.hook);
    await demand(outbox, id, await outbox.retry(id), "is neither dead nor backing off");
    return 1;
  });
  screen.document({ retried });
  screen.line(`${counted(retried)} will be tried again.`);
}

/** Removes a delivery. */
export async function discardDelivery(
  id: string,
  options: OutboxOptions,
  { screen }: CommandContext,
): Promise<void> {
  await withOutbox(options, existing, async (outbox) =>
    demand(outbox, id, await outbox.discard(id), "is done, or running"),
  );
  screen.document({ discarded: 1 });
  screen.line(`Delivery ${oneLine(id)} is removed; its messages are not delivered any more.`);
}

/** Counts deliveries by state. */
export async function outboxStats(options: OutboxOptions, { screen }: CommandContext): Promise<void> {
  const stats = await withOutbox(options, existing, async (outbox) => outbox.stats(options.hook));
  screen.document(stats);
  for (const [name, number] of Object.entries(stats)) screen.line(`${padEnd(name, 8)}  ${number}`);
}

/** Each once, page by page: what a running worker buries again meanwhile is not retried for ever. */
async function retryAll(outbox: OpenOutbox, hook: string | undefined): Promise<number> {
  let retried = 0;
  for (let after: string | undefined; ; ) {
    const dead = await outbox.deadLetters(hook, { after });
    for (const { deliveryId } of dead) if (await outbox.retry(deliveryId)) retried += 1;
    after = dead.at(-1)?.deliveryId;
    if (after === undefined) return retried;
  }
}

async function find(outbox: OpenOutbox, id: string): Promise<DeliveryRecord> {
  const [delivery] = await outbox.deliveries({ deliveryId: id });
  if (delivery !== undefined) return delivery;
  throw new CliError("missing_delivery", `There is no delivery "${id}". keepsake outbox list shows them.`);
}

async function demand(outbox: OpenOutbox, id: string, isChanged: boolean, problem: string): Promise<void> {
  if (isChanged) return;
  const { state } = await find(outbox, id);
  throw new CliError("unfit_delivery", `The delivery "${id}" ${problem} (it is ${state}).`);
}

function rowDocument(row: DeliveryRecord): Record<string, unknown> {
  return {
    id: row.deliveryId,
    hook: row.hook,
    namespace: row.namespace,
    thread: row.threadId ?? null,
    state: row.state,
    attempts: row.attempts,
    error: row.error ?? null,
    enqueued_at: row.enqueuedAt.toISOString(),
    messages: row.bodies.length,
  };
}

function printRow(screen: Screen, row: DeliveryRecord): void {
  const { deliveryId, state, hook, namespace, bodies, error } = row;
  const head = `${oneLine(deliveryId)}  ${padEnd(state, 8)}`;
  const messages = `${bodies.length} ${bodies.length === 1 ? "message" : "messages"}`;
  const reason = error === undefined ? "" : `: ${oneLine(error)}`;
  const text = `${oneLine(hook)}  ${oneLine(namespaceName(namespace))}  ${messages}${reason}`;
  screen.line(
    `${screen.style.dim(head)}  ${truncate(text, Math.max(20, screen.width - textWidth(head) - 2))}`,
  );
}

function namespaceName(namespace: Json): string {
  const isLabels = Array.isArray(namespace) && namespace.every((label) => typeof label === "string");
  return isLabels ? formatNamespace(namespace.map(String)) : JSON.stringify(namespace);
}

function counted(deliveries: number): string {
  return deliveries === 1 ? "1 delivery" : `${deliveries} deliveries`;
}
