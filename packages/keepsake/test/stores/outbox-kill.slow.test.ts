import { describe, expect, test } from "vitest";
import { seedOfRun } from "./isolation-search.ts";
import { bundledProcess, killWhileTalking } from "./outbox-kill-suite.ts";
import { databaseUrl, freshSchema, withoutServer } from "./postgres-pools.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const runs = Number(process.env.KEEPSAKE_KILL_RUNS ?? 300);
const seed = seedOfRun();
const timeout = 60_000 + runs * 10_000;

describe("SIGKILL of a process whose hook is durable", () => {
  const child = bundledProcess("outbox-kill-process");
  const folder = temporaryFolder();
  const title = `${runs} conversations lose nothing and repeat nothing (KEEPSAKE_SEED=${seed})`;

  test(`SQLite: ${title}`, { timeout }, async () => {
    const counts = await killWhileTalking(child.script, { kind: "sqlite", folder }, { runs, seed });
    console.log(`SQLite, seed ${seed}: ${JSON.stringify(counts)}`);
    expect(counts.kills).toBeGreaterThan(runs / 4);
  });

  test.skipIf(databaseUrl === undefined)(`Postgres: ${title}${withoutServer}`, { timeout }, async () => {
    const place = { kind: "postgres", url: databaseUrl ?? "", schema: freshSchema() } as const;
    const counts = await killWhileTalking(child.script, place, { runs, seed });
    console.log(`Postgres, seed ${seed}: ${JSON.stringify(counts)}`);
    expect(counts.kills).toBeGreaterThan(runs / 4);
  });
});
