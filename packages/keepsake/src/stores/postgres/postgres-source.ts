import { KeepsakeError } from "../../errors/index.ts";
import { isRecord, type OptionKind } from "../../util/index.ts";
import { type Target, targetOf } from "./postgres-client.ts";
import type { PostgresPool } from "./postgres-driver.ts";

/** Where the database is: a pool of the app, or what a pool of our own is made of. */
export type Source =
  | { readonly kind: "pool"; readonly pool: PostgresPool; readonly target: Target }
  | { readonly kind: "string"; readonly connectionString: string; readonly target: Target };

const anything: OptionKind = ["anything", () => true];

/** The options that say where the tables are; the first two have been checked by {@link checkPlaces}. */
export const placeKinds: Readonly<Record<"connectionString" | "pool" | "schema", OptionKind>> = {
  connectionString: anything,
  pool: anything,
  schema: [
    'a name of 1 to 63 bytes that is no address and does not begin with "pg_"',
    (value) =>
      typeof value === "string" &&
      /^(?!pg_|\w+:\/\/)[^\0\p{Surrogate}]+$/u.test(value) &&
      new TextEncoder().encode(value).length <= 63,
  ],
};

/**
 * Checks where the database is. The messages show no value: a connection string may have been given in the wrong place.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function checkPlaces(subject: string, config: unknown): void {
  if (config === undefined) return;
  if (!isRecord(config))
    throw refused(subject, "the options must be an object, such as { connectionString }.");
  const { connectionString, pool } = config;
  if (connectionString !== undefined && (typeof connectionString !== "string" || connectionString === "")) {
    throw refused(
      subject,
      "connectionString must be a text, such as postgres://user:password@host:5432/database.",
    );
  }
  if (pool === undefined || (isRecord(pool) && typeof pool.connect === "function")) return;
  throw refused(
    subject,
    "`pool` must be a pool with the function connect, such as new Pool() of pg; a connection string belongs into `connectionString`.",
  );
}

function refused(subject: string, problem: string): KeepsakeError {
  return new KeepsakeError("invalid_config", `${subject}: ${problem}`);
}

/**
 * Where the database is.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function sourceOf(
  subject: string,
  {
    connectionString,
    pool,
  }: { readonly connectionString?: string | undefined; readonly pool?: PostgresPool | undefined },
): Source {
  if (connectionString !== undefined && pool !== undefined) {
    throw refused(subject, "`connectionString` and `pool` are both given; leave one of them out.");
  }
  if (connectionString === undefined && pool === undefined) {
    throw new KeepsakeError(
      "invalid_config",
      `${subject} needs either \`connectionString\` or \`pool\`. Is the environment variable set that it comes from?`,
    );
  }
  if (pool !== undefined) {
    return { kind: "pool", pool, target: { name: "of the option `pool`", secrets: [] } };
  }
  return { kind: "string", connectionString: String(connectionString), target: targetOf(connectionString) };
}
