// A job runner in place of the worker: a job drains the hook. Without DATABASE_URL there is nothing to connect to.
import assert from "node:assert/strict";
import { run, runMigrations } from "graphile-worker";
import { durable, MessageReducer } from "keepsake";
import { PostgresOutbox } from "keepsake/postgres";
import pg from "pg";

const stored: unknown[] = [];
const store = async (pruned: unknown[]): Promise<void> => {
  stored.push(...pruned);
};

async function withRunner(schema: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  pool.on("error", (error) => console.error(error.message));
  // #region job
  const outbox = new PostgresOutbox({ pool, schema });
  const remember = durable(store, { name: "remember", outbox });

  /** A job of any runner: it fails where the outbox is down, and asks for another where work is left. */
  async function drainMemory(again: (inMs: number) => Promise<unknown>): Promise<void> {
    const { remaining } = await remember.drain({ deadlineMs: 60_000 });
    if (remaining > 0) await again(5_000);
  }

  const runner = await run({
    pgPool: pool,
    schema: `${schema}_jobs`,
    noHandleSignals: true,
    parsedCronItems: [],
    taskList: {
      drain_memory: (_payload, { addJob }) =>
        drainMemory((inMs) =>
          addJob("drain_memory", {}, { jobKey: "drain_memory", runAt: new Date(Date.now() + inMs) }),
        ),
    },
  });

  const reducer = new MessageReducer({ onPrune: [remember] });
  const { pruned } = await reducer.reduce({ existing: messages, namespace: ["memories", "asha"] });
  // One job is enough for all that waits: the key makes it the only one.
  await runner.addJob("drain_memory", {}, { jobKey: "drain_memory" });
  // #endregion
  await remember.idle();
  assert.equal(stored.length, pruned.length);
  await runner.stop();
  await outbox.close();
  await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
  await pool.query(`DROP SCHEMA "${schema}_jobs" CASCADE`);
  await pool.end();
}

const messages = Array.from({ length: 21 }, (_, index) => ({
  id: `${index}`,
  role: index % 2 === 0 ? "user" : "assistant",
  content: `message ${index}`,
}));

if (process.env.DATABASE_URL === undefined) {
  assert.equal(typeof runMigrations, "function");
  console.log("skipped: DATABASE_URL is not set");
} else {
  await withRunner(`example_delivery_${process.pid}`);
}
