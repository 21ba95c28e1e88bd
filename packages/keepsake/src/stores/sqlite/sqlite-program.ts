import type { Awaitable } from "../../util/index.ts";
import type { SqliteDriver } from "./sqlite-driver.ts";

/** A row of a result, by column name. */
export type Row = Readonly<Record<string, unknown>>;

type Parameter = string | number | null | Uint8Array;
type Effect =
  | { readonly kind: "all" | "run"; readonly sql: string; readonly parameters: readonly Parameter[] }
  | { readonly kind: "exec"; readonly sql: string }
  | { readonly kind: "settle"; readonly value: unknown };

/**
 * Statements in order, with what is computed between them. Written once, {@link drive} runs it without a pause over a synchronous driver,
 * and awaits each statement of an asynchronous one.
 */
export type Program<T> = Generator<Effect, T, unknown>;

/** Runs a program against a driver. */
export function drive<T>(program: Program<T>, driver: SqliteDriver): Awaitable<T> {
  const goOn = (step: IteratorResult<Effect, T>): Awaitable<T> => {
    let current = step;
    while (!current.done) {
      let result: unknown;
      try {
        result = carryOut(current.value, driver);
      } catch (error) {
        current = program.throw(error);
        continue;
      }
      if (result instanceof Promise) {
        return result.then(
          (value) => goOn(program.next(value)),
          (error: unknown) => goOn(program.throw(error)),
        );
      }
      current = program.next(result);
    }
    return current.value;
  };
  return goOn(program.next(undefined));
}

function carryOut(effect: Effect, driver: SqliteDriver): unknown {
  if (effect.kind === "settle") return effect.value;
  return effect.kind === "exec"
    ? driver.exec(effect.sql)
    : driver[effect.kind](effect.sql, effect.parameters);
}

/** The rows of a query. */
export function* all(sql: string, ...parameters: Parameter[]): Program<readonly Row[]> {
  const rows = yield { kind: "all", sql, parameters };
  return Array.isArray(rows) ? rows : [];
}

/** The first row of a query. */
export function* first(sql: string, ...parameters: Parameter[]): Program<Row | undefined> {
  const rows = yield { kind: "all", sql, parameters };
  return Array.isArray(rows) ? rows[0] : undefined;
}

/** A statement without rows. */
export function* run(sql: string, ...parameters: Parameter[]): Program<void> {
  yield { kind: "run", sql, parameters };
}

/** One or more statements without parameters. */
export function* exec(sql: string): Program<void> {
  yield { kind: "exec", sql };
}

/** The program inside a transaction. A write takes the lock at once: one that reads first and locks later can be refused halfway. */
export function* transaction<T>(mode: "read" | "write", body: () => Program<T>): Program<T> {
  yield* exec(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
  let result: T;
  try {
    result = yield* body();
    yield* exec("COMMIT");
  } catch (error) {
    yield* rollBack();
    throw error;
  }
  return result;
}

function* rollBack(): Program<void> {
  try {
    yield* exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself after some failures (disk full, I/O error); the first error is the one to report.
  }
}

/** Runs a callback that may be asynchronous as a part of the program. */
export function* settle<T>(callback: () => Awaitable<T>): Program<T> {
  const result = callback();
  if (!(result instanceof Promise)) return result;
  return (yield { kind: "settle", value: result }) as T;
}

/** A whole number out of a row. */
export function integer(row: Row | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

/** A text out of a row. */
export function text(row: Row | undefined, column: string): string {
  return String(row?.[column] ?? "");
}

/** A BLOB out of a row. */
export function bytes(row: Row | undefined, column: string): Uint8Array {
  const value = row?.[column];
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError(`The driver gives ${typeof value} for the BLOB ${column}; it must give a Uint8Array.`);
}
