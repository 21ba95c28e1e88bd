import { beforeAll, describe, expect, test, vi } from "vitest";
import { type PostgresPool, PostgresStore } from "../../src/stores/postgres/index.ts";
import { hashingEmbedder } from "../../src/testing/index.ts";
import { asOrdinaryRole, embedded, freshSchema, type TestDatabase } from "./postgres-pools.ts";

const ns = ["n"];
const timeout = 60_000;
let admin: TestDatabase;
let owner: TestDatabase;

beforeAll(async () => {
  admin = await embedded({ pgvector: true });
  owner = await asOrdinaryRole(admin);
}, timeout);

/** A pool of a new role without privileges, whose connections begin with a statement of their own. */
async function newRole(first = "SELECT 1"): Promise<{ role: string; pool: PostgresPool }> {
  const role = `role_${freshSchema()}`;
  await admin.query(`CREATE ROLE "${role}"`);
  const connect: PostgresPool["connect"] = async () => {
    const client = await admin.pool.connect();
    await client.query(`SET ROLE "${role}"`);
    await client.query(first);
    return {
      query: (text, values) => client.query(text, values),
      release: () =>
        void client
          .query("RESET ROLE")
          .then(() => client.query("RESET ALL"))
          .finally(() => client.release()),
    };
  };
  return { role, pool: { connect } };
}

const use = (schema: string, role: string): string[] => [
  `GRANT USAGE ON SCHEMA "${schema}" TO "${role}"`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`,
];

async function query(pool: PostgresPool, sql: string): Promise<unknown[]> {
  const client = await pool.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    client.release();
  }
}

describe("row-level security on what the tables say of themselves", { timeout }, () => {
  test("a role that uses them reads it and records its embedder, but cannot remove or spoil it", async () => {
    const schema = freshSchema();
    const { role, pool } = await newRole();
    await new PostgresStore({ pool: owner.pool, schema, rls: true }).setup();
    for (const grant of use(schema, role)) await owner.query(grant);
    const meta = `"${schema}".keepsake_meta`;
    const store = new PostgresStore({ pool, schema, rls: true, index: { embed: hashingEmbedder(8) } });
    await store.put(ns, "k", { content: "tea" });
    const before = await owner.query(`SELECT name, value FROM ${meta} ORDER BY name`);
    expect(before.map(({ name }) => name)).toEqual(["analyzer", "format", "index", "vectors"]);
    await query(pool, `DELETE FROM ${meta}`);
    await query(pool, `UPDATE ${meta} SET value = '99' WHERE name = 'format'`);
    for (const statement of [
      `UPDATE ${meta} SET value = 'x'`,
      `INSERT INTO ${meta} VALUES ('more', '1')`,
      `UPDATE ${meta} SET name = 'format' WHERE name = 'analyzer'`,
    ]) {
      await expect(query(pool, statement), statement).rejects.toMatchObject({ code: "42501" });
    }
    expect(await owner.query(`SELECT name, value FROM ${meta} ORDER BY name`)).toEqual(before);
    await store.reindex({ embed: hashingEmbedder(16) });
    await owner.query(`UPDATE ${meta} SET value = '0' WHERE name = 'analyzer'`);
    const again = new PostgresStore({ pool, schema, index: { embed: hashingEmbedder(16) } });
    expect(await again.search(ns, { query: "tea", mode: "keyword" })).toHaveLength(1);
    const [analyzer] = await owner.query(`SELECT value FROM ${meta} WHERE name = 'analyzer'`);
    expect(analyzer?.value).toBe(before[0]?.value);
    await Promise.all([store.close(), again.close()]);
  });
});

describe("tables with row-level security that an earlier keepsake made, without a policy of their meta data", {
  timeout,
}, () => {
  const meta = (schema: string): string => `"${schema}".keepsake_meta`;

  async function madeEarlier(): Promise<string> {
    const schema = freshSchema();
    const store = new PostgresStore({ pool: owner.pool, schema, rls: true });
    await store.put(ns, "k", { content: "tea" });
    await store.close();
    for (const policy of ["read", "record", "change"]) {
      await owner.query(`DROP POLICY keepsake_${policy} ON ${meta(schema)}`);
    }
    await owner.query(`ALTER TABLE ${meta(schema)} DISABLE ROW LEVEL SECURITY`);
    return schema;
  }

  test.each([undefined, true])("get it when their owner opens them (rls: %s)", async (rls) => {
    const schema = await madeEarlier();
    const { role, pool } = await newRole();
    for (const grant of use(schema, role)) await owner.query(grant);
    const store = new PostgresStore({ pool: owner.pool, schema, ...(rls === undefined ? {} : { rls }) });
    expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
    await query(pool, `DELETE FROM ${meta(schema)}`);
    expect(await owner.query(`SELECT 1 FROM ${meta(schema)}`)).toHaveLength(4);
    await store.close();
  });

  test("serve other roles as before, which are warned once and told what to do", async () => {
    const schema = await madeEarlier();
    const { role, pool } = await newRole();
    for (const grant of use(schema, role)) await owner.query(grant);
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const store = new PostgresStore({ pool, schema, rls: true, logger });
    await store.put(ns, "k", { content: "milk" });
    expect(await store.search(ns, { query: "milk" })).toHaveLength(1);
    expect(logger.warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringMatching(/keepsake_meta has no policy.*setup\(\) once as its owner, "app_/),
    ]);
    await store.close();
  });

  test("are only read by an owner who may not write", async () => {
    const schema = await madeEarlier();
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const connect: PostgresPool["connect"] = async () => {
      const client = await owner.pool.connect();
      await client.query("SET default_transaction_read_only = on");
      return {
        query: (text, values) => client.query(text, values),
        release: () => void client.query("RESET ALL").finally(() => client.release()),
      };
    };
    const store = new PostgresStore({ pool: { connect }, schema, logger });
    expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
    expect(logger.warn).toHaveBeenCalledTimes(1);
    await store.close();
  });
});

describe("a privilege that is missing", { timeout }, () => {
  test.each([
    ["put", (store: PostgresStore) => store.put(ns, "k", { content: "milk" })],
    ["delete", (store: PostgresStore) => store.delete(ns, "k")],
    ["deleteAll", (store: PostgresStore) => store.deleteAll(ns)],
    ["reindex", (store: PostgresStore) => store.reindex()],
  ])("%s: the error says what grants it, and that helps", async (_, work) => {
    const schema = freshSchema();
    const { role, pool } = await newRole();
    const writer = new PostgresStore({ pool: owner.pool, schema });
    await writer.put(ns, "k", { content: "tea" });
    await owner.query(`GRANT USAGE ON SCHEMA "${schema}" TO "${role}"`);
    await owner.query(`GRANT SELECT ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`);
    const store = new PostgresStore({ pool, schema });
    expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
    const error = await work(store).then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    expect(error).toMatchObject({
      code: "database_failed",
      message: expect.stringContaining("permission denied"),
      data: { code: "42501", role, schema },
    });
    const grants = [...String(error?.message).matchAll(/GRANT [^;]+(?=;|\.$)/g)].map(([grant]) => grant);
    expect(grants).toHaveLength(2);
    for (const grant of grants) await owner.query(grant);
    await work(store);
    await Promise.all([store.close(), writer.close()]);
  });

  test("an index of an older analyser, which the role may not make again", async () => {
    const schema = freshSchema();
    const { role, pool } = await newRole();
    const writer = new PostgresStore({ pool: owner.pool, schema });
    await writer.put(ns, "k", { content: "tea" });
    await owner.query(`UPDATE "${schema}".keepsake_meta SET value = '0' WHERE name = 'analyzer'`);
    await owner.query(`GRANT USAGE ON SCHEMA "${schema}" TO "${role}"`);
    await owner.query(`GRANT SELECT ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`);
    const store = new PostgresStore({ pool, schema });
    await expect(store.get(ns, "k")).rejects.toMatchObject({
      code: "database_failed",
      message: expect.stringMatching(/permission denied.*GRANT SELECT, INSERT, UPDATE, DELETE/),
      data: { code: "42501" },
    });
    await Promise.all([store.close(), writer.close()]);
  });
});

describe("damaged meta data", { timeout }, () => {
  test.each([
    ["DELETE FROM meta", /keepsake_meta is damaged: its row "format" is missing.*Restore.*write the format/],
    ["UPDATE meta SET value = 'x' WHERE name = 'format'", /"format" holds "x"/],
    ["DELETE FROM meta WHERE name = 'vectors'", /"vectors" is missing.*of the type vector/],
    [
      "UPDATE meta SET value = '{' WHERE name = 'index'",
      /"index" holds "\{".*delete the row and call reindex/,
    ],
    ["DROP TABLE meta", /holds keepsake_documents, .* but not the table .*keepsake_meta/],
    ["ALTER TABLE meta DROP COLUMN value", /not the table .*keepsake_meta/],
  ])("%s: the error names the table and what to do", async (damage, message) => {
    const schema = freshSchema();
    const index = { embed: hashingEmbedder(8) };
    const store = new PostgresStore({ pool: owner.pool, schema, index });
    await store.put(ns, "k", { content: "tea" });
    await store.close();
    await owner.query(damage.replace("meta", `"${schema}".keepsake_meta`));
    const again = new PostgresStore({ pool: owner.pool, schema, index });
    await expect(again.search(ns, { query: "tea", mode: "vector" })).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringMatching(message),
    });
  });

  test("what the error says helps", async () => {
    const schema = freshSchema();
    const store = new PostgresStore({ pool: owner.pool, schema });
    await store.put(ns, "k", { content: "tea" });
    const meta = `"${schema}".keepsake_meta`;
    await owner.query(`DELETE FROM ${meta}`);
    await owner.query(`INSERT INTO ${meta} VALUES ('format', '1'), ('vectors', 'pgvector')`);
    const again = new PostgresStore({ pool: owner.pool, schema });
    expect(await again.search(ns, { query: "tea" })).toHaveLength(1);
    expect(await owner.query(`SELECT 1 FROM ${meta} WHERE name = 'analyzer'`)).toHaveLength(1);
    await Promise.all([store.close(), again.close()]);
  });

  test.each(["items", "meta"])("a table keepsake_%s of another program is left alone", async (name) => {
    const schema = freshSchema();
    await owner.query(`CREATE SCHEMA "${schema}"`);
    await owner.query(`CREATE TABLE "${schema}".keepsake_${name} (a integer)`);
    await expect(new PostgresStore({ pool: owner.pool, schema }).setup()).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringContaining("Choose another `schema`"),
    });
    expect(await owner.query(`SELECT * FROM "${schema}".keepsake_${name}`)).toEqual([]);
  });
});

test("a role or pool that is read-only stays so: it reads, and cannot write", { timeout }, async () => {
  const schema = freshSchema();
  const { role, pool } = await newRole("SET default_transaction_read_only = on");
  const writer = new PostgresStore({ pool: owner.pool, schema });
  await writer.put(ns, "k", { content: "tea" });
  for (const grant of use(schema, role)) await owner.query(grant);
  const store = new PostgresStore({ pool, schema });
  expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
  await expect(store.put(ns, "k", { content: "milk" })).rejects.toMatchObject({
    code: "database_failed",
    message: expect.stringContaining("read-only"),
    data: { code: "25006" },
  });
  expect(await writer.get(ns, "k")).toMatchObject({ version: 1 });
  await Promise.all([store.close(), writer.close()]);
});
