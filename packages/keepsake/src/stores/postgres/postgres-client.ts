import { KeepsakeError } from "../../errors/index.ts";
import type { OwnPool } from "./postgres-driver.ts";

const connectionTimeoutMs = 10_000;

/** The slice of `pg` that is used. */
interface PgModule {
  readonly Pool?: PoolClass;
  readonly default?: { readonly Pool?: PoolClass };
}

type PoolClass = new (options: {
  connectionString: string;
  connectionTimeoutMillis: number;
  allowExitOnIdle: boolean;
}) => OwnPool;

/**
 * A pool of `pg` for a connection string. It opens no connection yet.
 *
 * @throws {KeepsakeError} `missing_dependency`
 */
export async function openPool(connectionString: string): Promise<OwnPool> {
  const PoolOf = await loadPool();
  const pool = new PoolOf({
    connectionString,
    connectionTimeoutMillis: connectionTimeoutMs,
    allowExitOnIdle: true,
  });
  // A connection that breaks while nobody uses it is replaced by the next use; without a listener it would end the process.
  pool.on("error", () => undefined);
  return pool;
}

async function loadPool(): Promise<PoolClass> {
  let module: PgModule;
  try {
    module = await import("pg");
  } catch (cause) {
    throw new KeepsakeError(
      "missing_dependency",
      'The option `connectionString` needs the package pg, which could not be loaded. Run "npm install pg", or pass a pool of your own as `pool`.',
      { cause },
    );
  }
  const PoolOf = module.Pool ?? module.default?.Pool;
  if (PoolOf !== undefined) return PoolOf;
  throw new KeepsakeError(
    "missing_dependency",
    'The installed package pg has no class "Pool"; install version 8 or later of https://node-postgres.com.',
  );
}

/** What of a connection string may be shown, and what must never be. */
export interface Target {
  /** Host, port and database, such as `"app" at db.example:5432`. */
  readonly name: string;
  /** The password, as it is written and as it is meant. */
  readonly secrets: readonly string[];
}

/** Shorter passwords are parts of ordinary words. */
const leastMasked = 6;

/** A text without the passwords: those in an address, and alone where they have at least 6 characters. */
export function hideSecrets(shown: string, { secrets }: Target): string {
  return secrets.reduce((text, secret) => {
    const hidden = text.replaceAll(`:${secret}@`, ":***@");
    return secret.length < leastMasked ? hidden : hidden.replaceAll(secret, "***");
  }, shown);
}

/**
 * Reads a connection string.
 *
 * @throws {KeepsakeError} `invalid_config`, without the string: there may be a password in it.
 */
export function targetOf(connectionString: unknown): Target {
  if (typeof connectionString !== "string" || !/^postgres(?:ql)?:\/\//.test(connectionString))
    throw badString();
  let url: URL;
  try {
    url = new URL(connectionString);
  } catch {
    throw badString();
  }
  if (hasStrayPassword(url)) throw badString();
  const database = decoded(url.pathname.slice(1)) || decoded(url.username) || "of the user's name";
  const password = url.searchParams.get("password") ?? url.password;
  const written = /^[^:]+:\/\/[^:]*:(.*)@/s.exec(connectionString)?.[1] ?? "";
  const secrets = new Set([password, decoded(password), written].filter((secret) => secret !== ""));
  return {
    name: `"${database}" at ${url.host || url.searchParams.get("host") || "localhost"}`,
    secrets: [...secrets].sort((a, b) => b.length - a.length),
  };
}

/** A password with an unencoded "/", "?" or "#" ends the authority early: pieces of it are taken for host, port and database. */
function hasStrayPassword({ host, pathname, search, hash }: URL): boolean {
  const isQueryAtOnce = pathname === "" && search.includes("@");
  return decoded(host).includes("@") || pathname.includes("@") || hash.includes("@") || isQueryAtOnce;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function badString(): KeepsakeError {
  return new KeepsakeError(
    "invalid_config",
    "`connectionString` is not of the form postgres://user:password@host:5432/database; special characters in user, password and database must be percent-encoded: @ is %40, / is %2F, ? is %3F, # is %23, : is %3A.",
  );
}
