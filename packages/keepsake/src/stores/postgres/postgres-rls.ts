import { KeepsakeError } from "../../errors/index.ts";
import type { Tables } from "./postgres-tables.ts";

/**
 * Row-level security, for the owner of the tables too: a row is there only while its namespace lies in the range that the transaction has
 * entered. Nothing entered (null, or the empty texts that a transaction leaves behind on its connection) is an empty range.
 */
export function policies(tables: Tables): string[] {
  const inRange =
    "name >= current_setting('keepsake.from', true) AND name < current_setting('keepsake.to', true)";
  // The namespaces seen here are those that their own policy shows.
  const ofNamespace = `namespace IN (SELECT n.id FROM ${tables.namespaces} n)`;
  const perNamespace = [tables.namespaces, tables.items, tables.documents, tables.vectors].flatMap(
    (table) => [
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
      `CREATE POLICY keepsake ON ${table} USING (${table === tables.namespaces ? inRange : ofNamespace})`,
    ],
  );
  return [...perNamespace, ...metaPolicies(tables)];
}

/**
 * What the tables say of themselves is read by all. Only their owner, whom these policies do not bind, removes rows and changes the format;
 * every role may record the embedder that it uses, and that it has brought the text index up to date.
 */
export function metaPolicies({ meta }: Tables): string[] {
  const recordable =
    "(name = 'index' AND value LIKE '{%}') OR (name = 'analyzer' AND value ~ '^[0-9]{1,9}$')";
  return [
    `ALTER TABLE ${meta} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY keepsake_read ON ${meta} FOR SELECT USING (true)`,
    `CREATE POLICY keepsake_record ON ${meta} FOR INSERT WITH CHECK (${recordable})`,
    `CREATE POLICY keepsake_change ON ${meta} FOR UPDATE USING (name IN ('index', 'analyzer')) WITH CHECK (${recordable})`,
  ];
}

/** What to tell a role that cannot add the policies that an earlier keepsake did not make. */
export function withoutMetaPolicies({ meta }: Tables, owner: string): string {
  return `The table ${meta} has no policy yet, so that every role that may write it can spoil what the tables say of themselves. The items are guarded. Call setup() once as its owner, "${owner}", connected so that it may write.`;
}

/** The error for a role that row-level security does not bind: the wall would be painted on. */
export function unboundRole(role: string): KeepsakeError {
  return new KeepsakeError(
    "invalid_config",
    `Row-level security does not bind the role "${role}", which is a superuser or has BYPASSRLS. Connect as an ordinary role, which may own the tables.`,
    { data: { role } },
  );
}
