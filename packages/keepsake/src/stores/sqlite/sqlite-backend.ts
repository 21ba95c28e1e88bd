import type { BackendSession, FoundItem, SearchPlan, StoreBackend, TermsOf } from "../../store/index.ts";
import type { Awaitable } from "../../util/index.ts";
import { openDriver } from "./sqlite-client.ts";
import type { SqliteDriver, SqliteDriverName } from "./sqlite-driver.ts";
import { readEmbeddings, readIndexRecord, writeIndexRecord } from "./sqlite-embeddings.ts";
import { databaseError, expiryError, isBusy } from "./sqlite-errors.ts";
import {
  type Counts,
  deleteItem,
  getItem,
  putItem,
  removeExpired,
  removeItems,
  writeCounts,
} from "./sqlite-items.ts";
import { all, drive, exec, first, type Program, run, settle, transaction } from "./sqlite-program.ts";
import { countItems, listNamespaces, matchingItems, searchItems } from "./sqlite-query.ts";
import { itemPage, reindexItem, sizeOf } from "./sqlite-reindex.ts";
import { checkOwner, prepareSchema, recordAnalyzer } from "./sqlite-schema.ts";

/** How SQLite writes to the disk. */
export type Synchronous = "full" | "normal" | "off";

/** How long to wait for a lock that another connection holds. */
const lockTimeoutMs = 10_000;
/** How long SQLite itself waits, which stops the whole process where the driver is synchronous; then others get a turn. */
const busyTimeoutMs = 25;
const rebuildPage = 500;
/** So much of the file is read where the system has it in memory, without a copy: short forms of vectors in a third of the time. */
const mappedBytes = 2 ** 30;

/** A backend over one database. */
export function createSqliteBackend(
  path: string,
  driver: SqliteDriver | SqliteDriverName | undefined,
  synchronous: Synchronous,
): StoreBackend {
  let connection: SqliteDriver | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const attempt = async <T>(program: () => Program<T>, target: SqliteDriver): Promise<T> => {
    const deadline = Date.now() + lockTimeoutMs;
    for (;;) {
      try {
        return await drive(program(), target);
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw databaseError(error, path);
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 10));
      }
    }
  };
  /** One at a time: there is one connection, and a transaction over an asynchronous driver takes a while. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    capabilities: { keyword: true, vector: true, ttl: true, atomicBatch: true },
    open: async (termsOf) => {
      const target = typeof driver === "object" ? driver : await connect(path, driver);
      try {
        await attempt(() => configure(path, synchronous), target);
        if (await attempt(() => prepareSchema(path), target)) await attempt(() => rebuild(termsOf), target);
      } catch (error) {
        if (typeof driver !== "object") await target.close();
        throw error;
      }
      connection = target;
    },
    session: (mode, now, work) =>
      inTurn(async () => {
        if (connection === undefined) throw new Error("The backend was not opened.");
        return attempt(sessionProgram(connection, path, mode, now, work), connection);
      }),
    maintain: () =>
      inTurn(async () => {
        if (connection === undefined) throw new Error("The backend was not opened.");
        await attempt(tidy, connection);
      }),
    close: async () => {
      if (typeof driver !== "object") await connection?.close();
      connection = undefined;
    },
  };
}

async function connect(path: string, driver: SqliteDriverName | undefined): Promise<SqliteDriver> {
  try {
    return await openDriver(path, driver);
  } catch (error) {
    throw databaseError(error, path);
  }
}

function* configure(path: string, synchronous: Synchronous): Program<void> {
  yield* exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  yield* checkOwner(path);
  yield* all("PRAGMA journal_mode = WAL");
  yield* exec(`PRAGMA synchronous = ${synchronous}; PRAGMA cache_size = -16000`);
  yield* all(`PRAGMA mmap_size = ${mappedBytes}`);
}

function sessionProgram<T>(
  driver: SqliteDriver,
  path: string,
  mode: "read" | "write",
  now: number,
  work: (session: BackendSession) => Awaitable<T>,
): () => Program<T> {
  return function* () {
    const expired = yield* first("SELECT 1 AS found FROM keepsake_items WHERE expires_at <= ? LIMIT 1", now);
    return yield* transaction(expired === undefined ? mode : "write", function* () {
      if (expired !== undefined) yield* expireItems(path, now);
      const counts: Counts = new Map();
      const result = yield* settle(() => work(sessionOf(driver, now, counts)));
      yield* writeCounts(counts);
      return result;
    });
  };
}

function* expireItems(path: string, now: number): Program<void> {
  try {
    yield* removeExpired(now);
  } catch (error) {
    throw expiryError(error, path);
  }
}

function sessionOf(driver: SqliteDriver, now: number, counts: Counts): BackendSession {
  return {
    now,
    get: (place) => drive(getItem(place), driver),
    put: (write) => drive(putItem(write, now, counts), driver),
    delete: (place) => drive(deleteItem(place), driver),
    search: (plan) => drive(searchCounted(plan, counts), driver),
    namespaces: (prefix) => drive(listNamespaces(prefix), driver),
    count: (prefix, matches) => drive(countItems(prefix, matches), driver),
    deleteAll: (prefix, matches) => drive(deleteMatching(matchingItems(prefix, matches)), driver),
    embeddings: (places) => drive(readEmbeddings(places), driver),
    indexRecord: () => drive(readIndexRecord(), driver),
    recordIndex: (record) => drive(writeIndexRecord(record), driver),
    size: () => drive(sizeOf(), driver),
    page: (after, limit) => drive(itemPage(after, limit), driver),
    reindex: (item, terms, embedding) => drive(reindexItem(item, terms, embedding), driver),
  };
}

/** A score depends on the counts of what was written before the search. */
function* searchCounted(plan: SearchPlan, counts: Counts): Program<FoundItem[]> {
  yield* writeCounts(counts);
  return yield* searchItems(plan);
}

function* deleteMatching(matching: ReturnType<typeof matchingItems>): Program<number> {
  const items = yield* matching;
  yield* removeItems(items);
  return items.length;
}

/** Merges the full-text index, gives free pages back to the file system and brings the planner's statistics up to date. */
function* tidy(): Program<void> {
  yield* run("INSERT INTO keepsake_terms (keepsake_terms) VALUES ('optimize')");
  yield* exec("VACUUM; PRAGMA optimize");
  yield* all("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Makes the text index of every item again. */
function* rebuild(termsOf: TermsOf): Program<void> {
  yield* transaction("write", function* () {
    let next: number | undefined;
    do {
      const page = yield* itemPage(next, rebuildPage);
      for (const item of page.items) yield* reindexItem(item, termsOf(item.json, item.index), "keep");
      next = page.next;
    } while (next !== undefined);
    yield* recordAnalyzer();
  });
}
