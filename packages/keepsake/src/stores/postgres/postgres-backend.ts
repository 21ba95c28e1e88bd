import type { BackendSession, IndexRecord, StoreBackend, TermsOf } from "../../store/index.ts";
import { namespaceRange } from "../../store/index.ts";
import { openPool } from "./postgres-client.ts";
import type { OwnPool } from "./postgres-driver.ts";
import { withGrants } from "./postgres-errors.ts";
import { deleteItem, getItem, putItem, removeItems } from "./postgres-items.ts";
import { maintain } from "./postgres-maintain.ts";
import { countItems, listNamespaces, matchingIds, searchItems } from "./postgres-query.ts";
import {
  embeddingsAt,
  itemPage,
  readIndexRecord,
  reindexItem,
  sizeOf,
  writeIndexRecord,
} from "./postgres-reindex.ts";
import { holdSchema, type Prepared, prepareSchema, recordAnalyzer } from "./postgres-schema.ts";
import { inScope, scopeOf } from "./postgres-scope.ts";
import type { Source } from "./postgres-source.ts";
import { tablesIn } from "./postgres-tables.ts";
import {
  type Database,
  integer,
  type Mode,
  type Transaction,
  text,
  transaction,
} from "./postgres-transaction.ts";
import { type Vectors, vectorsOf } from "./postgres-vectors.ts";

interface Opened {
  readonly database: Database;
  readonly vectors: Vectors;
  readonly own: OwnPool | undefined;
  readonly role: string;
}

const rebuildPage = 500;

/** A backend over the tables in one schema of a database. */
export function createPostgresBackend(
  source: Source,
  schema: string,
  rls: boolean,
  { clock, warn }: { clock: () => number; warn: (message: string) => void },
): StoreBackend {
  let opened: Opened | undefined;
  return {
    capabilities: { keyword: true, vector: true, ttl: true, atomicBatch: true },
    open: async (termsOf) => {
      const own = source.kind === "string" ? await openPool(source.connectionString) : undefined;
      const pool = source.kind === "pool" ? source.pool : own;
      if (pool === undefined) return;
      const database = { pool, tables: tablesIn(schema), subject: source.target, guarded: false };
      try {
        const prepared = await prepareSchema(database, rls);
        opened = await ready(database, prepared, own, termsOf);
        if (prepared.warning !== undefined) warn(prepared.warning);
      } catch (error) {
        await own?.end();
        throw error;
      }
    },
    session: (mode, now, work) => {
      if (opened === undefined) throw new Error("The backend was not opened.");
      const { database, vectors } = opened;
      return explained(
        opened,
        transaction(database, mode, (tx) => work(sessionOf(tx, vectors, mode, now))),
      );
    },
    maintain: async () => {
      if (opened !== undefined) await explained(opened, maintain(opened.database, opened.vectors, clock()));
    },
    close: async () => {
      await opened?.own?.end();
      opened = undefined;
    },
  };
}

async function explained<T>({ database, role }: Opened, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw withGrants(error, database.tables, role);
  }
}

async function ready(
  base: Database,
  { guarded, vectors, outdated, role }: Prepared,
  own: OwnPool | undefined,
  termsOf: TermsOf,
): Promise<Opened> {
  const result = { database: { ...base, guarded }, vectors: vectorsOf(vectors), own, role };
  if (outdated) {
    const rebuilt = transaction(result.database, "write", (tx) => rebuild(tx, result.vectors, termsOf));
    await explained(result, rebuilt);
  }
  return result;
}

function sessionOf(tx: Transaction, vectors: Vectors, mode: Mode, now: number): BackendSession {
  let seen: IndexRecord | undefined;
  return {
    now,
    get: (place) => getItem(tx, place, now),
    put: (write) => putItem(tx, vectors, write, now),
    delete: (place) => deleteItem(tx, place, now),
    search: (plan) => searchItems(tx, vectors, plan, now),
    namespaces: (prefix) => listNamespaces(tx, prefix, now),
    count: (prefix, matches) => countItems(tx, prefix, matches, now),
    deleteAll: async (prefix, matches) => {
      const locked = await lockUnder(tx, prefix);
      const ids = await matchingIds(tx, prefix, matches, now);
      await removeItems(tx, ids, locked);
      return ids.length;
    },
    embeddings: (places) => embeddingsAt(tx, vectors, places, now),
    indexRecord: async () => {
      seen = await readIndexRecord(tx, mode);
      return seen;
    },
    recordIndex: async (record) => {
      await writeIndexRecord(tx, vectors, record, seen);
      seen = record;
    },
    size: () => sizeOf(tx, now),
    page: (after, limit) => itemPage(tx, after, limit, now),
    reindex: (item, terms, embedding) => reindexItem(tx, vectors, item, terms, embedding, now),
  };
}

/** Locks all namespaces under a prefix, in one order for everyone. */
async function lockUnder(tx: Transaction, prefix: readonly string[]): Promise<number[]> {
  await tx.enter(namespaceRange(prefix));
  const rows = await tx.all(
    `SELECT n.id, n.name FROM ${tx.tables.namespaces} n WHERE ${inScope(1)} ORDER BY n.id FOR NO KEY UPDATE`,
    ...scopeOf(prefix),
  );
  for (const row of rows) tx.locked.set(text(row, "name"), integer(row, "id"));
  return rows.map((row) => integer(row, "id"));
}

/** Makes the text index of every item again. */
async function rebuild(tx: Transaction, vectors: Vectors, termsOf: TermsOf): Promise<void> {
  await holdSchema(tx);
  let next: number | undefined;
  do {
    const page = await itemPage(tx, next, rebuildPage, 0);
    for (const item of page.items) {
      await reindexItem(tx, vectors, item, termsOf(item.json, item.index), "keep", 0);
    }
    next = page.next;
  } while (next !== undefined);
  await recordAnalyzer(tx);
}
