import pg from "pg";
import { describe, expect, test } from "vitest";
import type { NewDelivery } from "../../src/delivery/index.ts";
import { PostgresOutbox } from "../../src/stores/postgres/index.ts";
import { seedOfRun } from "./isolation-search.ts";
import { followModel } from "./outbox-model.ts";
import {
  databaseUrl,
  embedded,
  freshSchema,
  poolerUrl,
  withoutPooler,
  withoutServer,
} from "./postgres-pools.ts";

const seed = seedOfRun();

function deliveryOf(id: string): NewDelivery {
  return {
    hook: "remember",
    namespace: ["memories", "asha"],
    threadId: undefined,
    messages: [{ identity: id, body: { id } }],
  };
}

describe("on PGlite", async () => {
  const database = await embedded({ pgvector: false });

  test.each([0, 1])(
    `a random history gives the answers of the outbox in memory (KEEPSAKE_SEED=${seed} + %i)`,
    async (offset) => {
      const outbox = new PostgresOutbox({ pool: database.pool, schema: freshSchema(), retainMs: 1_000_000 });
      await followModel({ outbox, now: Date.now }, { seed: seed + offset, steps: 150 });
      await outbox.close();
    },
  );

  test("a newer format is refused, and a pool of the app stays open", async () => {
    const schema = freshSchema();
    const outbox = new PostgresOutbox({ pool: database.pool, schema });
    await outbox.enqueue(deliveryOf("a"));
    await database.query(`UPDATE "${schema}".keepsake_outbox_meta SET value = '99'`);
    const later = new PostgresOutbox({ pool: database.pool, schema });
    await expect(later.stats()).rejects.toMatchObject({ code: "unsupported_format" });
    await later.close();
    await outbox.close();
    await expect(outbox.stats()).rejects.toMatchObject({ code: "closed" });
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a worker on the one connection is woken by polling, and leaves the connection to others", async () => {
    const schema = freshSchema();
    const outbox = new PostgresOutbox({ pool: database.pool, schema });
    const other = new PostgresOutbox({ pool: database.pool, schema });
    const woken = new Promise<void>((resolve) => outbox.onWork("remember", resolve));
    await other.enqueue(deliveryOf("a"));
    await woken;
    await Promise.all([outbox.close(), other.close()]);
  });
});

describe.skipIf(databaseUrl === undefined)(`on a server${withoutServer}`, () => {
  test.each([
    ["straight", databaseUrl],
    [`through a pooler${withoutPooler}`, poolerUrl],
  ])("a worker is woken by what another instance enqueues: %s", async (_, url) => {
    if (url === undefined) return;
    const schema = freshSchema();
    const outbox = new PostgresOutbox({ connectionString: url, schema });
    const other = new PostgresOutbox({ connectionString: url, schema });
    await other.setup();
    let woken = 0;
    outbox.onWork("remember", () => {
      woken += 1;
    });
    await other.enqueue(deliveryOf("a"));
    await expect.poll(() => woken, { timeout: 10_000 }).toBeGreaterThan(0);
    const [leased] = await outbox.lease("remember", { limit: 1, leaseMs: 60_000 });
    await outbox.complete(leased?.token ?? "");
    await Promise.all([outbox.close(), other.close()]);
  });

  test("a worker listens on one connection of a pool, and gives it back", async () => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
    const schema = freshSchema();
    const outbox = new PostgresOutbox({ pool, schema });
    await outbox.setup();
    const stop = outbox.onWork("remember", () => undefined);
    const listening = async (): Promise<number> => {
      const { rows } = await pool.query(
        "SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE query = 'LISTEN keepsake_outbox'",
      );
      return rows[0].sessions;
    };
    await expect.poll(listening, { timeout: 10_000 }).toBeGreaterThan(0);
    stop();
    await outbox.close();
    expect(pool.totalCount - pool.idleCount).toBe(0);
    await pool.end();
  });
});
