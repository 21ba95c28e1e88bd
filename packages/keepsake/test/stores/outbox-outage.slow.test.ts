import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { type DurableHook, durable, type Outbox } from "../../src/delivery/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";
import { PostgresOutbox } from "../../src/stores/postgres/index.ts";
import { SqliteOutbox } from "../../src/stores/sqlite/index.ts";
import { databaseUrl, freshSchema, withoutServer } from "./postgres-pools.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const awayMs = 5_000;
const silent = { debug: () => undefined, warn: () => undefined };

interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** A conversation that goes on through a window with a durable hook, and what of it was remembered. */
class Conversation {
  readonly remembered: string[] = [];
  readonly hook: DurableHook<Message>;
  readonly #reducer: MessageReducer<Message>;
  readonly #padding: string;
  #window: Message[] = [];
  #said = 0;

  constructor(outbox: Outbox, padding = "") {
    this.#padding = padding;
    this.hook = durable<Message>(
      (messages) => {
        for (const { id } of messages) this.remembered.push(id);
      },
      { name: "remember", outbox, leaseMs: 10_000, backoff: () => 50, logger: silent },
    );
    this.#reducer = new MessageReducer<Message>({
      minMessages: 2,
      maxMessages: 4,
      onPrune: [this.hook],
      logger: silent,
    });
  }

  /** A turn; the number of messages in the window afterwards. */
  async say(): Promise<number> {
    for (const role of ["user", "assistant"] as const) {
      this.#window.push({ id: `m${this.#said}`, role, content: `word ${this.#said} ${this.#padding}` });
      this.#said += 1;
    }
    const input = { existing: this.#window, namespace: ["memories", "asha"], threadId: "t" };
    const { surviving } = await this.#reducer.reduce(input);
    this.#window = [...surviving];
    return this.#window.length;
  }

  /** Every message is in the window or was remembered, once. */
  expectAll(): void {
    const ids = Array.from({ length: this.#said }, (_, index) => `m${index}`);
    expect(new Set(this.remembered).size).toBe(this.remembered.length);
    expect([...new Set([...this.remembered, ...this.#window.map(({ id }) => id)])].sort()).toEqual(
      ids.sort(),
    );
    expect(this.remembered.length).toBeGreaterThan(ids.length / 2);
  }
}

/** Talks before, while and after the database is away, then waits until all is done. */
async function talkThrough(
  outbox: Outbox,
  away: () => Promise<void>,
  back: () => Promise<void>,
): Promise<void> {
  const talk = new Conversation(outbox);
  talk.hook.start();
  for (let turn = 0; turn < 5; turn += 1) await talk.say();
  await away();
  const until = Date.now() + awayMs;
  const returned = new Promise((resolve) => setTimeout(resolve, awayMs)).then(back);
  for (let turn = 0; turn < 5 && Date.now() < until; turn += 1) await talk.say();
  await returned;
  for (let turn = 0; turn < 5; turn += 1) await talk.say();
  await talk.hook.idle();
  await talk.hook.stop();
  talk.expectAll();
  await outbox.close();
}

describe("the database is away for 5 seconds: nothing is lost, and it goes on by itself", () => {
  test("SQLite: another connection holds the lock", { timeout: 120_000 }, async () => {
    const path = join(folder, "locked.db");
    const other = new Database(path);
    await talkThrough(
      new SqliteOutbox(path),
      async () => {
        other.exec("BEGIN IMMEDIATE");
      },
      async () => {
        other.exec("COMMIT");
      },
    );
    other.close();
  });

  test.skipIf(databaseUrl === undefined)(
    `Postgres: connections are cut, and new ones refused${withoutServer}`,
    { timeout: 120_000 },
    async () => {
      const admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
      afterAll(() => admin.end());
      const name = `away_${freshSchema()}`;
      await admin.query(`CREATE DATABASE "${name}"`);
      const url = new URL(databaseUrl ?? "");
      url.pathname = `/${name}`;
      await talkThrough(
        new PostgresOutbox({ connectionString: url.href }),
        async () => {
          await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
          await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
            name,
          ]);
        },
        async () => {
          await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
        },
      );
      await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    },
  );
});

describe("the disk is full", () => {
  const mountPoint = join(folder, "small");
  mkdirSync(mountPoint);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mountPoint]);
  afterAll(() => void spawnSync("umount", [mountPoint]));
  const why = mounted.status === 0 ? "" : " (skipped: a small tmpfs can be mounted by root only)";

  test.skipIf(mounted.status !== 0)(
    `the window keeps the messages, and lets them go when there is room${why}`,
    { timeout: 120_000 },
    async () => {
      const outbox = new SqliteOutbox(join(mountPoint, "outbox.db"));
      const talk = new Conversation(outbox, "x".repeat(10_000));
      let size = 0;
      for (let turn = 0; turn < 100; turn += 1) size = await talk.say();
      expect(size).toBeGreaterThan(20);
      const refused = {
        hook: "remember",
        namespace: ["memories", "asha"],
        threadId: "t",
        messages: [{ identity: "large", body: "x".repeat(500_000) }],
      };
      await expect(outbox.enqueue(refused)).rejects.toMatchObject({
        code: "database_failed",
        message: expect.stringContaining("is full; the disk"),
      });
      spawnSync("mount", ["-o", "remount,size=64m", mountPoint]);
      expect(await talk.say()).toBeLessThanOrEqual(4);
      talk.hook.start();
      await talk.hook.idle();
      await talk.hook.stop();
      talk.expectAll();
      await outbox.close();
    },
  );
});
