import { KeepsakeError } from "../../errors/index.ts";
import { isDuplicate, isForbidden } from "./postgres-errors.ts";
import { holdSchema } from "./postgres-schema.ts";
import { grantsFor } from "./postgres-tables.ts";
import { type Database, type Transaction, text, transaction } from "./postgres-transaction.ts";

/** The names of an outbox's tables, quoted and with their schema. */
export interface OutboxTables {
  readonly meta: string;
  readonly lanes: string;
  readonly claims: string;
  readonly deliveries: string;
  readonly bodies: string;
}

/** The tables of an outbox in a quoted schema. */
export function outboxTablesIn(schema: string): OutboxTables {
  return {
    meta: `${schema}.keepsake_outbox_meta`,
    lanes: `${schema}.keepsake_outbox_lanes`,
    claims: `${schema}.keepsake_outbox_claims`,
    deliveries: `${schema}.keepsake_outbox_deliveries`,
    bodies: `${schema}.keepsake_outbox_bodies`,
  };
}

/**
 * Statements from one format to the next; the first makes the tables. Never changed once released.
 *
 * A lane is a hook and a namespace: its oldest unfinished delivery is its `head`, and `due_at` says when that may be leased (0: at once; under a
 * lease: when that ends; null: there is none), in milliseconds of the database's clock. A change of a lane or of what is in it locks the lane
 * first, so numbers within a lane rise in the order of the commits. Bodies are apart, so that a change of state does not write them again.
 * Texts that an app chooses freely are JSON, which has no NUL.
 *
 * States: 0 pending, 1 leased, 2 retrying, 3 dead, 4 done.
 */
const migrations: readonly ((tables: OutboxTables) => readonly string[])[] = [
  ({ meta, lanes, claims, deliveries, bodies }) => [
    `CREATE TABLE ${meta} (name text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE ${lanes} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hook text COLLATE "C" NOT NULL,
      namespace text COLLATE "C" NOT NULL,
      namespace_hash text COLLATE "C" NOT NULL,
      head bigint,
      due_at bigint,
      claimed bigint NOT NULL DEFAULT 0,
      UNIQUE (hook, namespace_hash)
    ) WITH (fillfactor = 70)`,
    `CREATE INDEX ON ${lanes} (hook, due_at, head) WHERE due_at IS NOT NULL`,
    `CREATE TABLE ${claims} (lane bigint, claim uuid, PRIMARY KEY (lane, claim))`,
    `CREATE TABLE ${deliveries} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      lane bigint NOT NULL,
      state smallint NOT NULL DEFAULT 0,
      attempts integer NOT NULL DEFAULT 0,
      token text COLLATE "C",
      retry_at bigint NOT NULL DEFAULT 0,
      thread text,
      error text,
      created_at bigint NOT NULL,
      finished_at bigint
    ) WITH (fillfactor = 70)`,
    `CREATE INDEX ON ${deliveries} (lane, seq) WHERE state < 3`,
    `CREATE INDEX ON ${deliveries} (seq) WHERE state = 3`,
    `CREATE INDEX ON ${deliveries} (finished_at) WHERE state = 4`,
    `CREATE TABLE ${bodies} (seq bigint PRIMARY KEY, bodies text NOT NULL)`,
  ],
];

/**
 * Makes the tables of the outbox, or brings older ones up to date; several processes may do it at once. Where they are there, no privilege but
 * to use them is needed.
 *
 * @throws {KeepsakeError} `unsupported_format`, `database_failed`
 */
export async function prepareOutbox(database: Database): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      const format = await transaction(database, "read", formatOf);
      if (format < migrations.length) await migrate(database);
      return;
    } catch (error) {
      if (attempts === 3 || !isDuplicate(error)) throw error;
    }
  }
}

/** 0: there are no tables. */
async function formatOf({ first, tables }: Transaction): Promise<number> {
  const { schemaName, schema } = tables;
  const { meta } = outboxTablesIn(schema);
  const found = await first(
    "SELECT 1 AS found FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'keepsake_outbox_meta'",
    schemaName,
  );
  if (found === undefined) return 0;
  const format = Number(text(await first(`SELECT value FROM ${meta} WHERE name = 'format'`), "value"));
  if (!Number.isSafeInteger(format) || format < 1) {
    throw new KeepsakeError(
      "unsupported_format",
      `The table ${meta} is damaged: it does not say the format. Restore it from a backup.`,
      { data: { schema: schemaName } },
    );
  }
  if (format <= migrations.length) return format;
  throw new KeepsakeError(
    "unsupported_format",
    `The outbox in the schema "${schemaName}" was written by a newer keepsake (format ${format}; this one knows format ${migrations.length}). Update keepsake, or choose another schema.`,
    { data: { schema: schemaName, theirs: format, ours: migrations.length } },
  );
}

async function migrate(database: Database): Promise<void> {
  const { tables } = database;
  let role = "";
  try {
    await transaction(database, "write", async (tx) => {
      await holdSchema(tx);
      // Another process may have been faster while this one waited for the lock.
      const format = await formatOf(tx);
      role = text(await tx.first("SELECT current_user::text AS role"), "role");
      const schema = await tx.first(
        "SELECT 1 AS found FROM pg_catalog.pg_namespace WHERE nspname = $1",
        tables.schemaName,
      );
      if (schema === undefined) await tx.all(`CREATE SCHEMA ${tables.schema}`);
      const own = outboxTablesIn(tables.schema);
      for (const migration of migrations.slice(format)) {
        for (const statement of migration(own)) await tx.all(statement);
      }
      await tx.all(
        `INSERT INTO ${own.meta} (name, value) VALUES ('format', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        String(migrations.length),
      );
    });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new KeepsakeError(
      "database_failed",
      `The role "${role}" may not make the tables of an outbox, in the schema "${tables.schemaName}". Call setup() once as a role that may; then let this one use them: ${grantsFor(tables, role)}.`,
      { cause: error, data: { schema: tables.schemaName, role } },
    );
  }
}
