import { KeepsakeError } from "../../errors/index.ts";
import { isThenable } from "../../util/index.ts";
import { openDriverNow } from "./sqlite-client.ts";
import type { SqliteDriver, SqliteDriverName } from "./sqlite-driver.ts";
import { databaseError, isBusy } from "./sqlite-errors.ts";
import { prepareOutbox } from "./sqlite-outbox-schema.ts";
import { all, drive, exec, type Program, transaction } from "./sqlite-program.ts";

/** How long to wait for a lock that another connection holds. */
const lockTimeoutMs = 10_000;
/** The same where the wait stops the whole process. */
const lockTimeoutNowMs = 1_000;
/** How long SQLite itself waits, which stops the process where the driver is synchronous. */
const busyTimeoutMs = 25;

/** A delivery writes the same few pages again and again: fewer checkpoints copy them less often. At 4 kB a page, the log grows to 16 MB. */
const checkpointPages = 4_000;

/** What must survive: the end of the process, or also a power failure, for which each transaction waits for the disk. */
export type Durability = "process" | "power";

/** A connection of the outbox's own to the file. */
export interface OutboxConnection {
  /** Runs a transaction that writes; again while another connection holds the lock. */
  write<T>(durability: Durability, body: () => Program<T>): Promise<T>;
  read<T>(body: () => Program<T>): Promise<T>;
  /** Runs a single query, which needs no transaction. */
  peek<T>(body: () => Program<T>): Promise<T>;
  /** Present where the driver is synchronous. */
  readonly writeNow: (<T>(durability: Durability, body: () => Program<T>) => T) | undefined;
  close(): Promise<void>;
}

/** Opens the file with the first use. */
export function createConnection(
  path: string,
  driver: SqliteDriver | SqliteDriverName | undefined,
): OutboxConnection {
  let target = typeof driver === "object" ? driver : undefined;
  let prepared = false;
  let closed = false;
  let waitsFor: Durability | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const open = (): SqliteDriver => {
    if (closed) throw new KeepsakeError("closed", `The outbox in "${path}" is closed.`, { data: { path } });
    target ??= openDriverNow(path, typeof driver === "string" ? driver : undefined);
    return target;
  };
  function* whole<T>(durability: Durability | "read" | "peek", body: () => Program<T>): Program<T> {
    if (!prepared) {
      yield* configure(path);
      prepared = true;
    }
    if (durability === "peek") return yield* body();
    if (durability === "read") return yield* transaction("read", body);
    if (durability !== waitsFor) {
      yield* exec(`PRAGMA synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
      waitsFor = durability;
    }
    return yield* transaction("write", body);
  }
  const attempt = async <T>(durability: Durability | "read" | "peek", body: () => Program<T>): Promise<T> => {
    const deadline = performance.now() + lockTimeoutMs;
    for (;;) {
      try {
        return await drive(whole(durability, body), open());
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw databaseError(error, path);
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 10));
      }
    }
  };
  const attemptNow = <T>(durability: Durability, body: () => Program<T>): T => {
    const deadline = performance.now() + lockTimeoutNowMs;
    for (;;) {
      try {
        // Without a pause: the driver is synchronous.
        return drive(whole(durability, body), open()) as T;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw databaseError(error, path);
      }
    }
  };
  /** One at a time: a transaction over an asynchronous driver takes a while. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    write: (durability, body) => inTurn(() => attempt(durability, body)),
    read: (body) => inTurn(() => attempt("read", body)),
    peek: (body) => inTurn(() => attempt("peek", body)),
    writeNow: isSynchronous(driver) ? attemptNow : undefined,
    close: () =>
      inTurn(async () => {
        closed = true;
        if (typeof driver !== "object") await target?.close();
        target = undefined;
      }),
  };
}

function* configure(path: string): Program<void> {
  yield* exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  yield* all("PRAGMA journal_mode = WAL");
  yield* all(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  yield* prepareOutbox(path);
}

/** The drivers known by name are; of an app's own, a query tells. */
function isSynchronous(driver: SqliteDriver | SqliteDriverName | undefined): boolean {
  if (typeof driver !== "object") return true;
  try {
    const rows = driver.all("SELECT 1 AS one", []);
    if (!isThenable(rows)) return true;
    Promise.resolve(rows).catch(() => undefined);
    return false;
  } catch {
    return true;
  }
}
