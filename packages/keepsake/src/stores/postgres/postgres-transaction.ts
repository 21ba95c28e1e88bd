import { KeepsakeError } from "../../errors/index.ts";
import { type Awaitable, isRecord } from "../../util/index.ts";
import type { PostgresClient, PostgresPool } from "./postgres-driver.ts";
import { databaseError, isCollision, isConnectionLost, type Subject } from "./postgres-errors.ts";
import type { Range } from "./postgres-scope.ts";
import type { Tables } from "./postgres-tables.ts";

/** A row of a result, by column name. */
export type Row = Readonly<Record<string, unknown>>;
/** What a statement is given. Texts and numbers, alone or in lists: what every driver sends the same way. */
export type Parameter = string | number | boolean | null | readonly string[] | readonly number[];

/** An open transaction. */
export interface Transaction {
  readonly tables: Tables;
  /** The rows of a statement. */
  all(sql: string, ...parameters: Parameter[]): Promise<readonly Row[]>;
  /** The first row. */
  first(sql: string, ...parameters: Parameter[]): Promise<Row | undefined>;
  /** Where row-level security is on: only what is in this range can be seen and written from here on. */
  enter(range: Range): Promise<void>;
  /** Ids of the namespaces that this transaction has locked, by encoded name. */
  readonly locked: Map<string, number>;
}

/** Where transactions are carried out. */
export interface Database {
  readonly pool: PostgresPool;
  readonly tables: Tables;
  readonly subject: Subject;
  /** Whether row-level security is on. */
  readonly guarded: boolean;
}

/** How long to go on trying while other writers are in the way. */
const collisionTimeoutMs = 10_000;

/**
 * Reads see one state of the database. Writes see what others have committed before each statement; what they depend on they lock first
 * (see `postgres-items.ts`), so that they wait for each other instead of failing.
 */
const beginnings = {
  read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  write: "BEGIN ISOLATION LEVEL READ COMMITTED",
} as const;

/** How a transaction begins. */
export type Mode = keyof typeof beginnings;

/** Runs a transaction, again where others were in the way. All that is set lasts until its end: the next may have another connection. */
export async function transaction<T>(
  database: Database,
  mode: Mode,
  body: (transaction: Transaction) => Awaitable<T>,
): Promise<T> {
  const deadline = Date.now() + collisionTimeoutMs;
  for (let waitMs = 5; ; waitMs = Math.min(2 * waitMs, 200)) {
    try {
      return await attempt(database, mode, body);
    } catch (error) {
      if (!isCollision(error) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    }
  }
}

async function attempt<T>(
  database: Database,
  mode: Mode,
  body: (transaction: Transaction) => Awaitable<T>,
): Promise<T> {
  const { client, giveBack } = await begin(database, mode);
  let result: T;
  try {
    result = await body(transactionOver(client, database));
    await query(client, database.subject, "COMMIT", [], commitDoubt(mode));
  } catch (error) {
    giveBack(isConnectionLost(error) || !(await rolledBack(client)));
    throw error;
  }
  giveBack(false);
  return result;
}

function commitDoubt(mode: Mode): string {
  return mode === "write" ? " while a write was being confirmed, so that it may have been carried out" : "";
}

interface Borrowed {
  readonly client: PostgresClient;
  readonly giveBack: (destroy: boolean) => void;
}

/** A connection with a transaction begun. One that has died in the pool unnoticed shows now, and another is taken. */
async function begin(database: Database, mode: Mode): Promise<Borrowed> {
  for (let attempts = 1; ; attempts += 1) {
    const borrowed = await borrow(database);
    try {
      await query(borrowed.client, database.subject, beginnings[mode], []);
      return borrowed;
    } catch (error) {
      borrowed.giveBack(true);
      if (attempts === 3 || !isConnectionLost(error)) throw error;
    }
  }
}

async function borrow({ pool, subject }: Database): Promise<Borrowed> {
  let client: PostgresClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw databaseError(error, subject);
  }
  if (!isClient(client)) throw noClient(client);
  // The failure of a query says the same; an event without a listener would end the process.
  const ignore = (): void => undefined;
  client.on?.("error", ignore);
  return {
    client,
    giveBack: (destroy) => {
      client.release(destroy);
      client.off?.("error", ignore);
    },
  };
}

function isClient(value: unknown): boolean {
  return isRecord(value) && typeof value.query === "function" && typeof value.release === "function";
}

function noClient(given: unknown): KeepsakeError {
  const names = isRecord(given) ? Object.keys(given).slice(0, 8).join(", ") : "";
  const what = names === "" ? `a value of type ${typeof given}` : `an object with ${names}`;
  return new KeepsakeError(
    "invalid_config",
    `connect() of the option \`pool\` gave ${what}; it must give a promise of a client with the functions query and release, as a Pool of pg does.`,
  );
}

async function rolledBack(client: PostgresClient): Promise<boolean> {
  try {
    await client.query("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

function transactionOver(client: PostgresClient, { tables, subject, guarded }: Database): Transaction {
  let entered = "";
  const all: Transaction["all"] = (sql, ...parameters) => query(client, subject, sql, parameters);
  return {
    tables,
    all,
    first: async (sql, ...parameters) => (await all(sql, ...parameters))[0],
    enter: async ({ from, to }) => {
      if (!guarded || entered === `${from}\n${to}`) return;
      await all(
        "SELECT set_config('keepsake.from', $1, true), set_config('keepsake.to', $2, true)",
        from,
        to,
      );
      entered = `${from}\n${to}`;
    },
    locked: new Map(),
  };
}

async function query(
  client: PostgresClient,
  subject: Subject,
  sql: string,
  parameters: readonly unknown[],
  doubt?: string,
): Promise<readonly Row[]> {
  try {
    const { rows } = await client.query(sql, [...parameters]);
    return rows as Row[];
  } catch (error) {
    throw databaseError(error, subject, doubt);
  }
}

/** A whole number out of a row; drivers give large ones as texts or bigints. */
export function integer(row: Row | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

/** A text out of a row. */
export function text(row: Row | undefined, column: string): string {
  return String(row?.[column] ?? "");
}

/** Ids joined by commas: one text is read many times faster than that many rows. */
export function idsIn(joined: unknown): number[] {
  return typeof joined === "string" && joined !== "" ? joined.split(",").map(Number) : [];
}
