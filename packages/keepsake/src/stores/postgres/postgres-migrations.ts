import type { Tables } from "./postgres-tables.ts";

/** How vectors are kept: by pgvector, which lives in a schema of the database, or as packed 32-bit numbers. */
export type VectorKind = { readonly kind: "pgvector"; readonly schema: string } | { readonly kind: "packed" };

/** Statements from one format of the tables to the next; the first makes them. Never changed once released: a change is one more. */
export const migrations: readonly ((tables: Tables, vectors: VectorKind) => readonly string[])[] = [
  (tables, vectors) => [
    `CREATE TABLE ${tables.meta} (name text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE ${tables.namespaces} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      documents bigint NOT NULL DEFAULT 0,
      total_length bigint NOT NULL DEFAULT 0,
      vectors bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 70)`,
    // A value is JSON as text: jsonb refuses NUL and lone surrogates, and forgets the order of properties.
    `CREATE TABLE ${tables.items} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      namespace bigint NOT NULL,
      key text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      expires_at bigint,
      version bigint NOT NULL,
      index_fields text,
      embedding_hash text,
      value text NOT NULL,
      UNIQUE (namespace, key)
    )`,
    `CREATE INDEX ON ${tables.items} (namespace, updated_at DESC, key)`,
    `CREATE INDEX ON ${tables.items} (namespace, expires_at) WHERE expires_at IS NOT NULL`,
    // A token is "namespace id|term", so that no tenant's terms are looked at for another; frequencies go with the tokens, in their order.
    `CREATE TABLE ${tables.documents} (
      item bigint PRIMARY KEY,
      namespace bigint NOT NULL,
      length bigint NOT NULL,
      tokens text[] COLLATE "C" NOT NULL,
      frequencies bigint[] NOT NULL
    )`,
    `CREATE INDEX ON ${tables.documents} (namespace)`,
    // Without a list of pending entries, which every search would have to read through.
    `CREATE INDEX ON ${tables.documents} USING gin (tokens) WITH (fastupdate = off)`,
    `CREATE TABLE ${tables.vectors} (
      item bigint NOT NULL,
      part integer NOT NULL,
      namespace bigint NOT NULL,
      embedding ${vectors.kind === "pgvector" ? `${vectors.schema}.vector` : "bytea"} NOT NULL,
      PRIMARY KEY (item, part)
    )`,
    `CREATE INDEX ON ${tables.vectors} (namespace)`,
  ],
];
