import { join } from "node:path";
import Database from "libsql";
import { afterAll, describe, expect, test } from "vitest";
import type { NewDelivery } from "../../src/delivery/index.ts";
import { SqliteOutbox, SqliteStore } from "../../src/stores/sqlite/index.ts";
import { drivers } from "./drivers.ts";
import { limitedDriver, slowDriver } from "./own-drivers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const open: SqliteOutbox[] = [];
let files = 0;

afterAll(() => Promise.all(open.map((outbox) => outbox.close())));

function freshPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

function outboxAt(path: string, config?: ConstructorParameters<typeof SqliteOutbox>[1]): SqliteOutbox {
  const outbox = new SqliteOutbox(path, config);
  open.push(outbox);
  return outbox;
}

function deliveryOf(ids: readonly string[], overrides: Partial<NewDelivery> = {}): NewDelivery {
  return {
    hook: "remember",
    namespace: ["memories", "asha"],
    threadId: "t",
    messages: ids.map((id) => ({ identity: id, body: { id } })),
    ...overrides,
  };
}

const options = { limit: 10, leaseMs: 60_000 };

describe.each(drivers)("SqliteOutbox over $name", ({ name: driver, missing }) => {
  const reason = missing === undefined ? "" : ` (skipped: ${missing})`;

  test.skipIf(missing !== undefined)(`commits before enqueueSync returns${reason}`, async () => {
    const path = freshPath();
    const outbox = outboxAt(path, { driver });
    const stored = outbox.enqueueSync?.(deliveryOf(["a"]));
    const other = new Database(path);
    const rows = other.prepare("SELECT id FROM keepsake_outbox_deliveries").all();
    other.close();
    expect(rows).toEqual([{ id: stored?.deliveryId }]);
  });

  test.skipIf(missing !== undefined)(`leaves no row of what was erased${reason}`, async () => {
    const path = freshPath();
    const outbox = outboxAt(path, { driver });
    await outbox.enqueue(deliveryOf(["a", "b"]));
    await outbox.erase(["memories", "asha"]);
    const other = new Database(path);
    const counts = ["lanes", "claims", "deliveries", "bodies"].map(
      (table) => other.prepare(`SELECT count(*) AS rows FROM keepsake_outbox_${table}`).all()[0],
    );
    other.close();
    expect(counts).toEqual(Array.from({ length: 4 }, () => ({ rows: 0 })));
  });

  test.skipIf(missing !== undefined)(`claims a message once, also across instances${reason}`, async () => {
    const path = freshPath();
    const first = outboxAt(path, { driver });
    const second = outboxAt(path, { driver });
    await first.enqueue(deliveryOf(["a", "b", "a"]));
    expect(await second.enqueue(deliveryOf(["b", "a"]))).toBeNull();
    await second.enqueue(deliveryOf(["b", "c"]));
    expect(await second.stats()).toMatchObject({ pending: 2, claimed: 3 });
    const [leased] = await first.lease("remember", options);
    expect(leased).toMatchObject({ bodies: [{ id: "a" }, { id: "b" }], attempt: 1, threadId: "t" });
    expect(await second.complete(leased?.token ?? "")).toBe(true);
    expect(await first.complete(leased?.token ?? "")).toBe(false);
    const [next] = await second.lease("remember", options);
    expect(next?.bodies).toEqual([{ id: "c" }]);
  });
});

describe("one file for store and outbox", () => {
  test.each(["store first", "outbox first"])("%s", async (order) => {
    const path = freshPath();
    const store = new SqliteStore(path);
    const outbox = outboxAt(path);
    const useStore = () => store.put(["a"], "k", { content: "tea" });
    const useOutbox = () => outbox.enqueue(deliveryOf(["a"]));
    for (const use of order === "store first" ? [useStore, useOutbox] : [useOutbox, useStore]) await use();
    expect(await store.search(["a"], { query: "tea" })).toHaveLength(1);
    expect(await outbox.stats()).toMatchObject({ pending: 1 });
    await store.close();
  });

  test("another program's file is refused, and so is a newer outbox", async () => {
    const foreign = freshPath();
    const database = new Database(foreign);
    database.exec("PRAGMA user_version = 7; CREATE TABLE theirs (a)");
    database.close();
    await expect(outboxAt(foreign).enqueue(deliveryOf(["a"]))).rejects.toMatchObject({
      code: "unsupported_format",
    });
    const path = freshPath();
    await outboxAt(path).enqueue(deliveryOf(["a"]));
    const newer = new Database(path);
    newer.exec("UPDATE keepsake_outbox_meta SET value = 99");
    newer.close();
    await expect(outboxAt(path).stats()).rejects.toMatchObject({ code: "unsupported_format" });
  });
});

describe("drivers of an app's own", () => {
  test("an asynchronous one has no enqueueSync, and keeps transactions apart", async () => {
    const driver = slowDriver(freshPath());
    const outbox = outboxAt("own", { driver });
    expect(outbox.enqueueSync).toBeUndefined();
    const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
    await Promise.all(ids.map((id) => outbox.enqueue(deliveryOf([id]))));
    expect(await outbox.stats()).toMatchObject({ pending: 20, claimed: 20 });
    await outbox.close();
    expect(driver.closed).toBe(0);
  });

  test("a full database says so, keeps what it had, and goes on when there is room", async () => {
    const driver = limitedDriver(60);
    const outbox = outboxAt("limited", { driver });
    const body = "x".repeat(20_000);
    let stored = 0;
    const fill = (): void => {
      for (; stored < 100; stored += 1) {
        outbox.enqueueSync?.(deliveryOf([], { messages: [{ identity: `m${stored}`, body }] }));
      }
    };
    expect(fill).toThrow(/is full; the disk/);
    expect(stored).toBeGreaterThan(3);
    expect(await outbox.stats()).toMatchObject({ pending: stored, claimed: stored });
    await driver.all("PRAGMA max_page_count = 10000", []);
    fill();
    expect(await outbox.stats()).toMatchObject({ pending: 100, claimed: 100 });
  });
});
