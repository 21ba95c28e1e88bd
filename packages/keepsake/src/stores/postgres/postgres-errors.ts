import { KeepsakeError } from "../../errors/index.ts";
import { hideSecrets, type Target } from "./postgres-client.ts";
import { grantsFor, type Tables } from "./postgres-tables.ts";

/** Postgres' SQLSTATE codes and Node's network codes, and what to say of them. */
const explanations: ReadonlyMap<string, string> = new Map([
  [
    "ECONNREFUSED",
    "cannot be reached: nothing answers there; is the server running, and host and port right?",
  ],
  ["ENOTFOUND", "cannot be reached: there is no such host"],
  ["EAI_AGAIN", "cannot be reached: the name of the host could not be looked up"],
  ["ETIMEDOUT", "cannot be reached: it does not answer"],
  ["ECONNRESET", "has cut the connection"],
  ["EPIPE", "has cut the connection"],
  ["28P01", "refuses the user or the password"],
  ["28000", "refuses the user; check the name and the server's pg_hba.conf"],
  ["3D000", "does not exist"],
  ["42501", "does not let this role do that; check its privileges"],
  ["25006", "may only be read: it is no primary server, or the role or pool is read-only"],
  ["53100", "has no room left on its disk"],
  ["53300", "has no connection left; use fewer or smaller pools, or a pooler"],
  ["57014", "stopped the statement; is its statement_timeout long enough?"],
  ["55P03", "did not give the lock in time (lock_timeout); is there a long transaction in another program?"],
  ["25P03", "ended the transaction for being idle; is its idle_in_transaction_session_timeout long enough?"],
  ["57P01", "was shut down"],
  ["57P02", "was shut down"],
  ["57P03", "is starting up or shutting down; try again in a moment"],
  ["40001", "found other writers in the way again and again"],
  ["40P01", "found other writers in the way again and again"],
  ["42P01", "lacks a table of the store; was the schema removed while the store was open?"],
]);
/** Other writers were in the way; the same again may succeed. */
const collisions: ReadonlySet<string> = new Set(["40001", "40P01"]);
/** The connection is of no more use. */
const connectionLost = /^(?:08|57P0[123]|25P03|E[A-Z]+$)/;

/** What an error is about: the database's name for messages, and what must be in none. */
export type Subject = Target;

/** The SQLSTATE or the network code of what a driver threw. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) && (typeof error !== "object" || error === null)) return undefined;
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "string") return code;
  // Node tries each address of a host; where all fail, their errors are inside.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return inner === undefined ? undefined : codeOf(inner);
}

/** The error to show for what a driver threw. */
export function databaseError(error: unknown, subject: Subject, while_ = ""): KeepsakeError {
  if (KeepsakeError.isInstance(error)) return error;
  const code = codeOf(error);
  const { name } = subject;
  const reason = hideSecrets(error instanceof Error ? error.message || error.name : String(error), subject);
  const explanation = explanations.get(code ?? "") ?? "failed";
  return new KeepsakeError(
    "database_failed",
    `The Postgres database ${name} ${explanation}${while_}. It says: ${reason || code || "nothing"}`,
    { cause: error, data: { database: name, ...(code === undefined ? {} : { code }) } },
  );
}

function dataCode(error: unknown): string {
  return KeepsakeError.isInstance(error) && typeof error.data.code === "string" ? error.data.code : "";
}

/** True where trying the transaction again may help. */
export function isCollision(error: unknown): boolean {
  return collisions.has(dataCode(error));
}

/** True where the connection must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  if (!KeepsakeError.isInstance(error) || error.code !== "database_failed") return false;
  const code = dataCode(error);
  // `pg` reports a lost connection without a code.
  return connectionLost.test(code) || (code === "" && /connection|socket/i.test(error.message));
}

/** True for what Postgres says where privileges are missing. */
export function isForbidden(error: unknown): boolean {
  return dataCode(error) === "42501";
}

/** The same error; where privileges are missing, with what grants them to the role. */
export function withGrants(error: unknown, tables: Tables, role: string): unknown {
  if (!isForbidden(error) || !KeepsakeError.isInstance(error)) return error;
  return new KeepsakeError(
    "database_failed",
    `${error.message}. If the role "${role}" should be able to, run as the owner of the tables: ${grantsFor(tables, role)}.`,
    { cause: error.cause, data: { ...error.data, schema: tables.schemaName, role } },
  );
}

/** True where another connection has created the same thing at the same time. */
export function isDuplicate(error: unknown): boolean {
  return ["23505", "42P06", "42P07", "42710"].includes(dataCode(error));
}

/** Another process has recorded another model while this one was about to: the transaction is to be tried again. */
export function staleRecord(): KeepsakeError {
  return new KeepsakeError(
    "database_failed",
    "Other processes keep recording other models for the same store; are they configured with the same embedder?",
    { data: { code: "40001" } },
  );
}
