import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { PostgresOutbox } from "../../src/stores/postgres/index.ts";
import { randomFrom, seedOfRun } from "./isolation-search.ts";
import { bundledProcess } from "./outbox-kill-suite.ts";
import { databaseUrl, freshSchema, server, withoutServer } from "./postgres-pools.ts";

const child = bundledProcess("outbox-worker-process");
const deliveries = Number(process.env.KEEPSAKE_WORKER_DELIVERIES ?? 10_000);
const processes = 4;
const namespaces = 200;
const seed = seedOfRun();

test.skipIf(databaseUrl === undefined)(
  `20 workers in ${processes} processes that are killed at random: ${deliveries} deliveries are done, none twice at once, each namespace in order (KEEPSAKE_SEED=${seed})${withoutServer}`,
  { timeout: 600_000 },
  async () => {
    const url = databaseUrl ?? "";
    const { query, pool } = server(url);
    const schema = freshSchema();
    const outbox = new PostgresOutbox({ pool, schema });
    await outbox.setup();
    await query(
      `CREATE TABLE "${schema}".runs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, delivery text, namespace text,
         place int, worker text, began timestamptz DEFAULT clock_timestamp(), ended timestamptz)`,
    );
    for (let index = 0; index < deliveries; index += 1) {
      await outbox.enqueue({
        hook: "work",
        namespace: ["n", String(index % namespaces)],
        threadId: undefined,
        messages: [{ identity: `m${index}`, body: { place: index } }],
      });
    }
    const random = randomFrom(seed);
    let starts = 0;
    const start = (): ChildProcess => {
      starts += 1;
      const started = spawn(process.execPath, [child.script], { stdio: ["pipe", "ignore", "inherit"] });
      started.stdin?.write(
        `${JSON.stringify({ url, schema, workers: 20 / processes, worker: `p${starts}` })}\n`,
      );
      return started;
    };
    const running = Array.from({ length: processes }, start);
    let killAt = 0;
    try {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 50 + random() * 200));
        const { pending, leased, retrying, dead, done } = await outbox.stats("work");
        expect(dead).toBe(0);
        if (pending + leased + retrying === 0) break;
        // By what is done, not by the clock: a slow machine would do nothing but start processes.
        if (done > killAt && done < 0.9 * deliveries) {
          killAt = done + (random() * deliveries) / 12;
          const victim = Math.floor(random() * processes);
          running[victim]?.kill("SIGKILL");
          running[victim] = start();
        }
      }
    } finally {
      await Promise.all(
        running.map(async (one) => {
          const closed = once(one, "close");
          one.kill("SIGKILL");
          await closed;
        }),
      );
    }
    const counts = await outbox.stats("work");
    console.log(`seed ${seed}: ${deliveries} deliveries, ${starts - processes} processes killed`);
    expect(counts).toMatchObject({ done: deliveries, claimed: deliveries });
    expect(starts).toBeGreaterThan(processes);
    await expectOrder(query, schema);
    await outbox.close();
  },
);

/** A run that was killed has no end; it is over when the lease is, before which the next of its namespace must not begin. */
async function expectOrder(query: ReturnType<typeof server>["query"], schema: string): Promise<void> {
  const finished = await query(
    `SELECT count(DISTINCT delivery)::int AS done FROM "${schema}".runs WHERE ended IS NOT NULL`,
  );
  expect(finished).toEqual([{ done: deliveries }]);
  const overlapping = await query(
    `SELECT a.id FROM "${schema}".runs a JOIN "${schema}".runs b ON a.namespace = b.namespace AND a.id < b.id AND b.began < a.ended LIMIT 5`,
  );
  expect(overlapping, "two of a namespace at the same time").toEqual([]);
  const disordered = await query(
    `SELECT id FROM (SELECT id, place, lag(place) OVER (PARTITION BY namespace ORDER BY began) AS before FROM "${schema}".runs) r
     WHERE place < before LIMIT 5`,
  );
  expect(disordered, "a younger one began before an older one was done").toEqual([]);
}
