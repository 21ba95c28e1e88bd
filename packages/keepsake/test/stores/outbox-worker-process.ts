// Run as a child process: node outbox-worker-process.mjs; the first line of standard input says where and how many workers.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import pg from "pg";
import { durable } from "../../src/delivery/index.ts";
import { PostgresOutbox } from "../../src/stores/postgres/index.ts";

interface Job {
  readonly url: string;
  readonly schema: string;
  readonly workers: number;
  readonly worker: string;
}

writeSync(1, "r");
for await (const line of createInterface({ input: process.stdin })) work(JSON.parse(line));
// Nobody kills the process any more where the parent has ended.
process.exit(1);

/** Each run of the hook writes when it began and ended: a run that was killed has no end. */
function work({ url, schema, workers, worker }: Job): void {
  const log = new pg.Pool({ connectionString: url, max: workers });
  log.on("error", () => undefined);
  for (let index = 0; index < workers; index += 1) {
    const outbox = new PostgresOutbox({ connectionString: url, schema });
    const hook = durable<{ place: number }>(
      async ([message], namespace, { deliveryId }) => {
        const { rows } = await log.query(
          `INSERT INTO "${schema}".runs (delivery, namespace, place, worker) VALUES ($1, $2, $3, $4) RETURNING id`,
          [deliveryId, namespace.join("/"), message?.place, worker],
        );
        await log.query(`UPDATE "${schema}".runs SET ended = clock_timestamp() WHERE id = $1`, [rows[0].id]);
      },
      {
        name: "work",
        outbox,
        leaseMs: 10_000,
        concurrency: 2,
        logger: { debug: () => undefined, warn: () => undefined },
      },
    );
    hook.start();
  }
}
