import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewDelivery } from "keepsake";
import { SqliteOutbox } from "keepsake/sqlite";
import { describe, expect, test } from "vitest";
import { cliFile, folder } from "./support/cli.ts";
import { keepsakeHere } from "./support/in-process.ts";

function deliveryOf(id: string, user: string): NewDelivery {
  return {
    hook: "remember",
    deliveryId: id,
    namespace: ["memories", user],
    threadId: "t1",
    messages: [{ identity: `${user} ${id}`, body: { role: "user", content: `hello from ${user}` } }],
  };
}

/** A file with a dead letter, one that waits behind nothing, and one that is done. */
async function filled(): Promise<string> {
  const db = join(await folder(), "outbox.db");
  const outbox = new SqliteOutbox(db);
  for (const [id, user] of [
    ["d-done", "ben"],
    ["d-dead", "asha"],
  ] as const) {
    await outbox.enqueue(deliveryOf(id, user));
    const [leased] = await outbox.lease("remember", { limit: 1, leaseMs: 60_000 });
    if (id === "d-done") await outbox.complete(leased?.token ?? "");
    else await outbox.fail(leased?.token ?? "", { message: "the model \u001b[31mrefuses" }, "dead");
  }
  await outbox.enqueue(deliveryOf("d-new", "asha"));
  await outbox.close();
  return db;
}

describe("keepsake outbox", () => {
  test("lists deliveries oldest first, page by page, and by state", async () => {
    const db = await filled();
    const { code, stdout } = await keepsakeHere(["outbox", "list", "--db", db]);
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(" ")[0])).toEqual(["d-done", "d-dead", "d-new", ""]);
    expect(stdout).not.toContain("\u001b");
    const first = JSON.parse(
      (await keepsakeHere(["outbox", "list", "--db", db, "--limit", "2", "--json"])).stdout,
    );
    expect(first).toMatchObject({ deliveries: [{ state: "done" }, { state: "dead" }], next_after: "d-dead" });
    const rest = await keepsakeHere(["outbox", "list", "--db", db, "--after", "d-dead", "--json"]);
    expect(JSON.parse(rest.stdout)).toMatchObject({ deliveries: [{ id: "d-new" }], next_after: null });
    const dead = await keepsakeHere(["outbox", "list", "--db", db, "--state", "dead", "--json"]);
    expect(JSON.parse(dead.stdout).deliveries).toEqual([
      {
        id: "d-dead",
        hook: "remember",
        namespace: ["memories", "asha"],
        thread: "t1",
        state: "dead",
        attempts: 1,
        error: "the model \u001b[31mrefuses",
        enqueued_at: expect.stringMatching(/^\d{4}-/),
        messages: 1,
      },
    ]);
  });

  test("shows a delivery with its messages", async () => {
    const db = await filled();
    const { stdout } = await keepsakeHere(["outbox", "show", "d-new", "--db", db]);
    expect(stdout).toContain("namespace  /memories/asha");
    expect(stdout).toContain('{"role":"user","content":"hello from asha"}');
    const missing = await keepsakeHere(["outbox", "show", "d-nix", "--db", db, "--json"]);
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stderr).error.code).toBe("missing_delivery");
  });

  test("retries one or all, discards, and says why it cannot", async () => {
    const db = await filled();
    expect((await keepsakeHere(["outbox", "retry", "d-new", "--db", db])).code).toBe(1);
    expect((await keepsakeHere(["outbox", "retry", "--db", db])).code).toBe(2);
    const all = await keepsakeHere(["outbox", "retry", "--all", "--db", db, "--json"]);
    expect(JSON.parse(all.stdout)).toEqual({ retried: 1 });
    expect((await keepsakeHere(["outbox", "discard", "d-dead", "--db", db])).code).toBe(0);
    const done = await keepsakeHere(["outbox", "discard", "d-done", "--db", db]);
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining("it is done") });
    const stats = await keepsakeHere(["outbox", "stats", "--db", db, "--json"]);
    expect(JSON.parse(stats.stdout)).toEqual({
      pending: 1,
      leased: 0,
      retrying: 0,
      dead: 0,
      done: 1,
      claimed: 3,
    });
  });

  test("retries every dead letter, however many", async () => {
    const db = join(await folder(), "outbox.db");
    const outbox = new SqliteOutbox(db);
    for (let index = 0; index < 230; index += 1)
      await outbox.enqueue(deliveryOf(`d${index}`, `user ${index}`));
    for (const { token } of await outbox.lease("remember", { limit: 230, leaseMs: 60_000 }))
      await outbox.fail(token, { message: "no" }, "dead");
    await outbox.close();
    const ran = await keepsakeHere(["outbox", "retry", "--all", "--db", db, "--json"]);
    expect(JSON.parse(ran.stdout)).toEqual({ retried: 230 });
    expect(await statsOf(db)).toMatchObject({ pending: 230, dead: 0 });
  });

  test("makes no file, and says when it was called wrongly", async () => {
    const cwd = await folder();
    const missing = await keepsakeHere(["outbox", "stats", "--db", join(cwd, "none.db"), "--json"]);
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stderr).error.code).toBe("missing_database");
    expect((await keepsakeHere(["outbox", "list", "--state", "lost"])).code).toBe(2);
    expect((await keepsakeHere(["worker"])).code).toBe(2);
  });
});

/** Runs a worker with a hook, and sends the signal once the hook says that it runs. */
async function terminated(
  db: string,
  hook: string,
  ...more: string[]
): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [cliFile, "worker", "--hook", hook, "--db", db, ...more]);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      if (!said.includes("got hello") && String(chunk).includes("got hello")) child.kill("SIGTERM");
      said += String(chunk);
    });
  }
  const [code] = await once(child, "close");
  return { code, said };
}

async function statsOf(db: string): Promise<unknown> {
  return JSON.parse((await keepsakeHere(["outbox", "stats", "--db", db, "--json"])).stdout);
}

describe("keepsake worker", () => {
  const slow = "await new Promise((resolve) => setTimeout(resolve, 300)); console.error('kept');";

  async function hookFile(work = slow): Promise<string> {
    const path = join(await folder(), "remember.mjs");
    await writeFile(
      path,
      `export const name = "remember";
       export default async (messages, namespace, { signal }) => {
         console.error("got " + messages[0].content + " for " + namespace.join("/"));
         ${work}
       };`,
    );
    return path;
  }

  test("--drain works off what is due, and ends", async () => {
    const db = await filled();
    const ran = await keepsakeHere(["worker", "--hook", await hookFile(), "--db", db, "--drain", "--json"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toEqual({ hook: "remember", delivered: 1, failed: 0, unfinished: 0 });
  });

  test.each([{ more: [] }, { more: ["--drain"] }])(
    "SIGTERM ends it once what runs is finished ($more)",
    async ({ more }) => {
      const db = await filled();
      const { code, said } = await terminated(db, await hookFile(), ...more);
      expect(said).toContain("got hello from asha for memories/asha");
      expect(said).toContain("1 delivered, 0 failed");
      expect(code).toBe(0);
    },
  );

  test("a hook that heeds its signal gives its delivery back when the time is over", async () => {
    const db = await filled();
    const work =
      "await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));";
    const { code, said } = await terminated(db, await hookFile(work), "--stop-ms", "100");
    expect(said).toContain("0 delivered, 1 failed");
    expect(code).toBe(0);
    expect(await statsOf(db)).toMatchObject({ leased: 0, retrying: 1 });
  });

  test("a hook that hangs ends with the process, and its delivery is run again when its lease is over", async () => {
    const db = await filled();
    const work = "await new Promise(() => setInterval(() => {}, 1_000));";
    const { code, said } = await terminated(
      db,
      await hookFile(work),
      "--stop-ms",
      "100",
      "--lease-ms",
      "5000",
    );
    expect(said).toContain("unfinished  d-new");
    expect(code).toBe(0);
    expect(await statsOf(db)).toMatchObject({ leased: 1 });
    await expect.poll(() => statsOf(db), { timeout: 30_000 }).toMatchObject({ leased: 0, pending: 1 });
    const again = await keepsakeHere(["worker", "--hook", await hookFile(), "--db", db, "--drain", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ delivered: 1, unfinished: 0 });
  });

  test("a module without a hook, or a hook without a name, is refused", async () => {
    const path = join(await folder(), "nothing.mjs");
    await writeFile(path, "export const other = 1;");
    const none = await keepsakeHere(["worker", "--hook", path]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('exports no function "hook"') });
    await writeFile(path.replace("nothing", "nameless"), "export const hook = () => 1;");
    const nameless = await keepsakeHere(["worker", "--hook", path.replace("nothing", "nameless")]);
    expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining("--name") });
    const missing = await keepsakeHere(["worker", "--hook", "./nowhere.js"]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be loaded") });
  });
});
