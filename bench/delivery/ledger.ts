import { SqliteOutbox, type SqliteOutboxConfig } from "keepsake/sqlite";
import { type Spread, spreadOf } from "./spread.ts";

/** What an enqueue of ten messages takes, by the number of messages claimed before. */
export type LedgerFigures = readonly { readonly rows: number; readonly enqueue: Spread }[];

const namespaces = 100;
const samples = 1_000;

/** Fills ledgers of different sizes, and enqueues into them. */
export async function measureLedger(
  path: (name: string) => string,
  { driver, rows }: { readonly driver: SqliteOutboxConfig["driver"]; readonly rows: readonly number[] },
): Promise<LedgerFigures> {
  const outboxes = rows.map((count) => ({
    count,
    outbox: new SqliteOutbox(path(`ledger-${count}`), { driver }),
  }));
  for (const { count, outbox } of outboxes) {
    for (let index = 0; index < count; index += 1_000) await enqueue(outbox, index, 1_000);
  }
  const times = new Map(rows.map((count) => [count, [] as number[]]));
  for (let sample = 0; sample < samples; sample += 1) {
    for (const { count, outbox } of outboxes) {
      const begun = performance.now();
      await enqueue(outbox, 1e9 + 10 * sample, 10);
      times.get(count)?.push(performance.now() - begun);
    }
  }
  for (const { outbox } of outboxes) await outbox.close();
  return [...times].map(([count, taken]) => ({ rows: count, enqueue: spreadOf(taken) }));
}

async function enqueue(outbox: SqliteOutbox, first: number, count: number): Promise<void> {
  await outbox.enqueue({
    hook: "ledger",
    namespace: ["memories", `u${Math.floor(first / count) % namespaces}`],
    threadId: undefined,
    messages: Array.from({ length: count }, (_, index) => ({
      identity: `m${first + index}`,
      body: { role: "user", content: "what was said" },
    })),
  });
}
