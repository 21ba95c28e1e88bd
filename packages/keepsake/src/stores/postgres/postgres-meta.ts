import { KeepsakeError } from "../../errors/index.ts";
import { isRecord } from "../../util/index.ts";
import { grantsFor, type Tables } from "./postgres-tables.ts";
import { type Row, type Transaction, text } from "./postgres-transaction.ts";

/** What the tables say of themselves. */
export interface Meta {
  readonly format: number;
  /** 0 also where it is not said: the text index is made of the items and can be made again. */
  readonly analyzer: number;
  readonly vectors: string;
}

/** Columns of a row about the schema `$1`, for {@link readMeta}. */
export const metaColumns = `
  (SELECT string_agg(c.relname::text, ', ' ORDER BY c.relname) FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1
    AND c.relname = ANY ('{keepsake_namespaces,keepsake_items,keepsake_documents,keepsake_vectors}'::text[])) AS found_tables,
  (SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = 'keepsake_meta') AS readable,
  (SELECT count(*) = 2 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = 'keepsake_meta' AND a.attname IN ('name', 'value') AND NOT a.attisdropped) AS fits`;

/** Columns of a row about the schema `$1`: whether its meta data have policies, whose they are, and whether this role may add them. */
export const metaPolicyColumns = `
  (SELECT c.relrowsecurity FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = 'keepsake_meta') AS meta_guarded,
  (SELECT pg_get_userbyid(c.relowner)::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = 'keepsake_meta') AS meta_owner,
  (SELECT pg_has_role(c.relowner, 'USAGE') AND NOT pg_is_in_recovery() AND NOT current_setting('default_transaction_read_only')::boolean
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = 'keepsake_meta') AS may_guard_meta`;

/**
 * Reads the table of meta data; `undefined` where there are no tables of a store.
 *
 * @throws {KeepsakeError} `unsupported_format`, `database_failed`
 */
export async function readMeta(
  { all, tables }: Transaction,
  row: Row | undefined,
): Promise<Meta | undefined> {
  const found = text(row, "found_tables");
  const readable = row?.readable ?? undefined;
  if (readable === undefined && found === "") return undefined;
  if (readable === undefined || row?.fits !== true) throw foreign(tables, found);
  if (readable !== true) throw unreadable(tables, text(row, "role"));
  const rows = await all(`SELECT name, value FROM ${tables.meta}`);
  const values = new Map(rows.map((entry) => [text(entry, "name"), text(entry, "value")]));
  const format = values.get("format");
  if (format === undefined || !/^[1-9]\d{0,8}$/.test(format)) throw damaged(tables, "format", format);
  const vectors = values.get("vectors");
  if (vectors !== "pgvector" && vectors !== "packed") throw damaged(tables, "vectors", vectors);
  const analyzer = values.get("analyzer") ?? "";
  return { format: Number(format), analyzer: /^\d{1,9}$/.test(analyzer) ? Number(analyzer) : 0, vectors };
}

/**
 * The record of the index, which the table keeps as JSON.
 *
 * @throws {KeepsakeError} `unsupported_format`
 */
export function parseRecord(stored: string, tables: Tables): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(stored);
    if (isRecord(value)) return value;
  } catch {}
  throw damaged(tables, "index", stored);
}

const remedies = {
  format: "write the format of the keepsake that made the tables, which is '1' so far",
  vectors:
    "write 'pgvector' if the column embedding of keepsake_vectors is of the type vector, else 'packed'",
  index: "delete the row and call reindex()",
} as const;

function damaged(
  { schemaName, meta }: Tables,
  name: keyof typeof remedies,
  value: string | undefined,
): KeepsakeError {
  const state = value === undefined ? "is missing" : `holds ${JSON.stringify(value.slice(0, 100))}`;
  return new KeepsakeError(
    "unsupported_format",
    `The table ${meta} is damaged: its row "${name}" ${state}. The items are in the other tables. Restore the table from a backup; or, as its owner, ${remedies[name]}.`,
    { data: { schema: schemaName, row: name } },
  );
}

function foreign({ schemaName, meta }: Tables, found: string): KeepsakeError {
  const what = found === "" ? "another table of that name" : `${found}, but not the table ${meta} of a store`;
  return new KeepsakeError(
    "unsupported_format",
    `The schema "${schemaName}" holds ${what}. Choose another \`schema\` if that is another program's; if it is what is left of a store, restore ${meta} from a backup.`,
    { data: { schema: schemaName } },
  );
}

function unreadable(tables: Tables, role: string): KeepsakeError {
  return new KeepsakeError(
    "database_failed",
    `The role "${role}" may not use the tables in the schema "${tables.schemaName}". Let it: ${grantsFor(tables, role)}.`,
    { data: { schema: tables.schemaName, role, code: "42501" } },
  );
}
