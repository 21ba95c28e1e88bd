/** The names of a store's tables, quoted and with their schema: a pooler may give any search_path. */
export interface Tables {
  readonly schemaName: string;
  readonly schema: string;
  readonly meta: string;
  readonly namespaces: string;
  readonly items: string;
  readonly documents: string;
  readonly vectors: string;
}

/** The tables in a schema. */
export function tablesIn(schemaName: string): Tables {
  const schema = `"${schemaName.replaceAll('"', '""')}"`;
  return {
    schemaName,
    schema,
    meta: `${schema}.keepsake_meta`,
    namespaces: `${schema}.keepsake_namespaces`,
    items: `${schema}.keepsake_items`,
    documents: `${schema}.keepsake_documents`,
    vectors: `${schema}.keepsake_vectors`,
  };
}

/** What lets a role use the tables of a store. */
export function grantsFor({ schema }: Tables, role: string): string {
  const name = `"${role.replaceAll('"', '""')}"`;
  return `GRANT USAGE ON SCHEMA ${schema} TO ${name}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${name}`;
}
