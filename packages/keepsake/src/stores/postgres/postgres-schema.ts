import { KeepsakeError } from "../../errors/index.ts";
import { analyzerVersion } from "../../search/index.ts";
import { isDuplicate, isForbidden } from "./postgres-errors.ts";
import { metaColumns, metaPolicyColumns, readMeta } from "./postgres-meta.ts";
import { migrations, type VectorKind } from "./postgres-migrations.ts";
import { metaPolicies, policies, unboundRole, withoutMetaPolicies } from "./postgres-rls.ts";
import { grantsFor, type Tables } from "./postgres-tables.ts";
import {
  type Database,
  integer,
  type Row,
  type Transaction,
  text,
  transaction,
} from "./postgres-transaction.ts";

/** What a store must know of the tables before it uses them. */
export interface Prepared {
  /** Whether row-level security is on. */
  readonly guarded: boolean;
  readonly vectors: VectorKind;
  /** True where the text index was made by an older analyser and must be made again. */
  readonly outdated: boolean;
  readonly role: string;
  /** What is to be mended by another role. */
  readonly warning: string | undefined;
}

/**
 * Makes the tables, or brings older ones up to date, where that is needed; several processes may do it at once. Where the tables are there,
 * no privilege but to use them is needed.
 *
 * @throws {KeepsakeError} `unsupported_format`, `invalid_config`, `database_failed`
 */
export async function prepareSchema(database: Database, rls: boolean): Promise<Prepared> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      const found = await transaction(database, "read", inspect);
      const state = isReady(found, rls) ? found : await migrate(database, rls);
      return checked(state, database.tables);
    } catch (error) {
      // Two that create the same extension at once, in two schemas, do not wait for each other.
      if (attempts === 3 || !isDuplicate(error)) throw error;
    }
  }
}

/** Records that the text index is up to date. */
export async function recordAnalyzer({ all, tables }: Transaction): Promise<void> {
  await all(
    `INSERT INTO ${tables.meta} (name, value) VALUES ('analyzer', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    String(analyzerVersion),
  );
}

/** Holds back everyone else who would change the tables of this schema, until the transaction ends. */
export async function holdSchema({ all, tables }: Transaction): Promise<void> {
  await all("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", `keepsake ${tables.schemaName}`);
}

interface State {
  /** 0: there are no tables. */
  readonly format: number;
  readonly analyzer: number;
  readonly guarded: boolean;
  /** Where an earlier keepsake has made the policies of all tables but `keepsake_meta`. */
  readonly missingMetaPolicies: { readonly owner: string; readonly mayAdd: boolean } | undefined;
  readonly vectors: VectorKind;
  readonly role: string;
  /** Row-level security does not hold for the role. */
  readonly unbound: boolean;
  readonly encoding: string;
  readonly hasSchema: boolean;
}

async function inspect(tx: Transaction): Promise<State> {
  const { first, tables } = tx;
  const row = await first(
    `SELECT current_user::text AS role, r.rolsuper OR r.rolbypassrls AS unbound,
       current_setting('server_encoding') AS encoding,
       EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS has_schema,
       coalesce((SELECT c.relrowsecurity FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = 'keepsake_items'), false) AS guarded,
       ${metaColumns.trim()},
       ${metaPolicyColumns.trim()},
       (SELECT quote_ident(n.nspname) FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
         WHERE e.extname = 'vector') AS vector_schema
     FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`,
    tables.schemaName,
  );
  const meta = await readMeta(tx, row);
  return {
    format: meta?.format ?? 0,
    analyzer: meta?.analyzer ?? 0,
    guarded: row?.guarded === true,
    missingMetaPolicies:
      row?.guarded === true && row.meta_guarded === false
        ? { owner: text(row, "meta_owner"), mayAdd: row.may_guard_meta === true && row.unbound !== true }
        : undefined,
    vectors: vectorKind(row, meta?.vectors),
    role: text(row, "role"),
    unbound: row?.unbound === true,
    encoding: text(row, "encoding"),
    hasSchema: row?.has_schema === true,
  };
}

/** Once made, tables keep their kind: an extension that comes later does not change them. */
function vectorKind(row: Row | undefined, made: string | undefined): VectorKind {
  const schema = row?.vector_schema;
  if (typeof schema !== "string" || made === "packed") return { kind: "packed" };
  return { kind: "pgvector", schema };
}

function isReady({ format, guarded, missingMetaPolicies }: State, rls: boolean): boolean {
  return format >= migrations.length && (guarded || !rls) && missingMetaPolicies?.mayAdd !== true;
}

function checked(state: State, tables: Tables): Prepared {
  const { schemaName } = tables;
  const { format, analyzer, guarded, vectors, role, missingMetaPolicies: missing } = state;
  if (format > migrations.length) throw newer(schemaName, `format ${format}`, `format ${migrations.length}`);
  if (analyzer > analyzerVersion)
    throw newer(schemaName, `text analyser ${analyzer}`, `text analyser ${analyzerVersion}`);
  if (guarded && state.unbound) throw unboundRole(state.role);
  const warning = missing === undefined ? undefined : withoutMetaPolicies(tables, missing.owner);
  return { guarded, vectors, outdated: analyzer < analyzerVersion, role, warning };
}

async function migrate(database: Database, rls: boolean): Promise<State> {
  const { tables } = database;
  let role = "";
  try {
    return await transaction(database, "write", async (tx) => {
      await holdSchema(tx);
      // Another process may have been faster while this one waited for the lock.
      const found = await inspect(tx);
      role = found.role;
      if (rls && found.unbound) throw unboundRole(role);
      if (found.encoding !== "UTF8") throw encodingError(found.encoding);
      if (!found.hasSchema) await tx.all(`CREATE SCHEMA ${tables.schema}`);
      await upgrade(tx, found);
      for (const statement of policiesToAdd(found, tables, rls)) await tx.all(statement);
      return inspect(tx);
    });
  } catch (error) {
    throw isForbidden(error) ? forbidden(error, tables, role, rls) : error;
  }
}

function policiesToAdd(found: State, tables: Tables, rls: boolean): string[] {
  if (rls && !found.guarded) return policies(tables);
  return found.missingMetaPolicies?.mayAdd === true ? metaPolicies(tables) : [];
}

async function upgrade(tx: Transaction, found: State): Promise<void> {
  if (found.format >= migrations.length) return;
  const vectors = found.format === 0 ? await createExtension(tx, found) : found.vectors;
  for (const migration of migrations.slice(found.format)) {
    for (const statement of migration(tx.tables, vectors)) await tx.all(statement);
  }
  const record = `INSERT INTO ${tx.tables.meta} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await tx.all(record, "format", String(migrations.length));
  if (found.format > 0) return;
  await tx.all(record, "vectors", vectors.kind);
  await tx.all(record, "analyzer", String(analyzerVersion));
}

/** The first version of pgvector that goes on searching its index until enough rows of a namespace are found. */
const iterativeVersion = [0, 8];

async function createExtension(tx: Transaction, found: State): Promise<VectorKind> {
  if (found.vectors.kind !== "pgvector" && !(await mayCreateExtension(tx))) return found.vectors;
  const row = await tx.first(
    `SELECT quote_ident(n.nspname) AS schema, e.extversion AS version
     FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  const [major = 0, minor = 0] = text(row, "version").split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = iterativeVersion;
  const isRecent = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  return isRecent ? { kind: "pgvector", schema: text(row, "schema") } : { kind: "packed" };
}

/** Creates the extension where it is installed and the role may; the store does without where not. */
async function mayCreateExtension({ all, first }: Transaction): Promise<boolean> {
  const row = await first(
    "SELECT count(*) AS versions FROM pg_catalog.pg_available_extensions WHERE name = 'vector'",
  );
  if (integer(row, "versions") === 0) return false;
  await all("SAVEPOINT keepsake_extension");
  try {
    await all("CREATE EXTENSION IF NOT EXISTS vector");
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await all("ROLLBACK TO SAVEPOINT keepsake_extension");
    return false;
  }
}

function newer(schema: string, theirs: string, ours: string): KeepsakeError {
  return new KeepsakeError(
    "unsupported_format",
    `The schema "${schema}" was written by a newer keepsake (${theirs}; this one knows ${ours}). Update keepsake, or choose another schema.`,
    { data: { schema, theirs, ours } },
  );
}

function encodingError(encoding: string): KeepsakeError {
  return new KeepsakeError(
    "invalid_config",
    `The database's encoding is ${encoding}; a store needs one with UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0).`,
    { data: { encoding } },
  );
}

function forbidden(cause: unknown, tables: Tables, role: string, rls: boolean): KeepsakeError {
  const { schema, schemaName } = tables;
  const what = rls ? "the tables, or put row-level security on them" : "the tables";
  return new KeepsakeError(
    "database_failed",
    `The role "${role}" may not make ${what}, in the schema "${schemaName}". Call setup() once, on a store with the same \`schema\`${rls ? " and `rls`" : ""}, as a role that may; then let this one use them: ${grantsFor(tables, role)}. Or give it a schema of its own: CREATE SCHEMA ${schema} AUTHORIZATION "${role}".`,
    { cause, data: { schema: schemaName, role } },
  );
}
