import { beforeAll, describe, expect, test, vi } from "vitest";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { hashingEmbedder } from "../../src/testing/index.ts";
import { asOrdinaryRole, embedded, freshSchema, type TestDatabase } from "./postgres-pools.ts";

const ns = ["n"];
const timeout = 60_000;
let owner: TestDatabase;
let app: TestDatabase;

beforeAll(async () => {
  owner = await embedded({ pgvector: true });
  app = await asOrdinaryRole(owner);
}, timeout);

describe("making the tables", { timeout }, () => {
  test("nothing is made before the first use; setup may be called again; what was written is there after closing", async () => {
    const schema = freshSchema();
    const store = new PostgresStore({ pool: owner.pool, schema });
    const schemas = () => owner.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    expect(await schemas()).toEqual([]);
    await store.setup();
    await store.setup();
    await store.put(ns, "k", { content: "tea" });
    await store.close();
    const again = new PostgresStore({ pool: owner.pool, schema });
    await again.setup();
    expect(await again.search(ns, { query: "tea" })).toHaveLength(1);
    await again.close();
  });

  test("a schema may have any name", async () => {
    const schema = `Ünder "quotes"; DROP TABLE x; -- ${freshSchema()}`.slice(0, 60);
    const store = new PostgresStore({ pool: owner.pool, schema });
    await store.put(ns, "k", { content: "tea" });
    expect(await store.search(ns, { query: "tea" })).toHaveLength(1);
    await store.close();
  });

  test("a schema with the tables of others may be shared", async () => {
    const schema = freshSchema();
    await owner.query(`CREATE SCHEMA "${schema}"`);
    await owner.query(`CREATE TABLE "${schema}".items (a integer)`);
    const store = new PostgresStore({ pool: owner.pool, schema });
    await store.put(ns, "k", { content: "tea" });
    expect(await owner.query(`SELECT * FROM "${schema}".items`)).toEqual([]);
    await store.close();
  });

  test.each([
    ["format", /newer keepsake \(format 99; this one knows format 1\)/],
    ["analyzer", /newer keepsake \(text analyser 99/],
  ])("tables of a newer %s are refused, and left as they are", async (name, message) => {
    const schema = freshSchema();
    const store = new PostgresStore({ pool: owner.pool, schema });
    await store.put(ns, "k", { a: 1 });
    await store.close();
    await owner.query(`UPDATE "${schema}".keepsake_meta SET value = '99' WHERE name = $1`, [name]);
    await expect(new PostgresStore({ pool: owner.pool, schema }).get(ns, "k")).rejects.toMatchObject({
      code: "unsupported_format",
      message: expect.stringMatching(message),
    });
  });

  test("an index of an older analyser is made again, each item with the fields it was written with", async () => {
    const schema = freshSchema();
    const open = () =>
      new PostgresStore({ pool: app.pool, schema, rls: true, index: { fields: ["content"] } });
    const store = open();
    await store.put(ns, "usual", { content: "tea", note: "coffee" });
    await store.put(ns, "note", { content: "tea", note: "coffee" }, ["note"]);
    await store.put(ns, "never", { content: "tea" }, false);
    const before = await store.search(ns, { query: "tea coffee" });
    expect(before).toHaveLength(2);
    await store.close();
    await owner.query(
      `UPDATE "${schema}".keepsake_documents SET tokens = ARRAY[namespace || '|te'], frequencies = ARRAY[100]`,
    );
    await owner.query(`UPDATE "${schema}".keepsake_meta SET value = '0' WHERE name = 'analyzer'`);
    const again = open();
    expect(await again.search(ns, { query: "tea coffee" })).toEqual(before);
    expect(await again.search(ns, { query: "te" })).toEqual([]);
    await again.close();
  });

  test("where the role may not make them, the error says what to run; after setup by another it needs no more than their use", async () => {
    const schema = freshSchema();
    const reader = `reader_${schema}`;
    await owner.query(`CREATE ROLE "${reader}"`);
    const lent = {
      connect: async () => {
        const client = await owner.pool.connect();
        await client.query(`SET ROLE "${reader}"`);
        return {
          query: (text: string, values?: unknown[]) => client.query(text, values),
          release: () => void client.query("RESET ROLE").then(() => client.release()),
        };
      },
    };
    const embed = hashingEmbedder(8);
    const store = new PostgresStore({ pool: lent, schema, index: { embed } });
    const error = await store.setup().catch((reason: unknown) => reason as Error & { code: string });
    expect(error).toMatchObject({
      code: "database_failed",
      message: expect.stringContaining("may not make"),
    });
    const advice = String((error as Error).message);
    await new PostgresStore({ pool: owner.pool, schema }).setup();
    const grants = [...advice.matchAll(/GRANT [^;]+(?=;|\. Or)/g)].map(([grant]) => grant);
    expect(grants).toHaveLength(2);
    for (const grant of grants) await owner.query(grant);
    await store.put(ns, "k", { content: "tea" });
    expect(await store.search(ns, { query: "tea" })).toMatchObject([
      { signals: { vector: expect.closeTo(1) } },
    ]);
    await store.close();
  });
});

describe("vectors", { timeout }, () => {
  test("have an index where pgvector is, made with the first vector and replaced with the model", async () => {
    const schema = freshSchema();
    const store = new PostgresStore({ pool: owner.pool, schema, index: { embed: hashingEmbedder(8) } });
    const indexes = async () =>
      (
        await owner.query(
          "SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND indexdef LIKE '%hnsw%'",
          [schema],
        )
      ).map(({ indexname }) => indexname);
    await store.put(ns, "k", { content: "tea" });
    expect(await indexes()).toEqual(["keepsake_vectors_hnsw_8"]);
    await store.reindex({ embed: hashingEmbedder(16) });
    expect(await indexes()).toEqual(["keepsake_vectors_hnsw_16"]);
    expect(await store.search(ns, { query: "tea", mode: "vector" })).toHaveLength(1);
    await store.close();
  });

  test("too long for an index are compared all", async () => {
    const schema = freshSchema();
    const store = new PostgresStore({ pool: owner.pool, schema, index: { embed: hashingEmbedder(2001) } });
    await store.put(ns, "k", { content: "tea" });
    expect(await store.search(ns, { query: "tea", mode: "vector" })).toHaveLength(1);
    await store.close();
  });

  test("go with their item, in every way that an item goes", async () => {
    const schema = freshSchema();
    const clock = { time: 1000 };
    const store = new PostgresStore({
      pool: owner.pool,
      schema,
      index: { embed: hashingEmbedder(8) },
      now: () => clock.time,
    });
    for (const key of ["a", "b", "c", "d"]) await store.put(ns, key, { content: `tea ${key}` });
    await store.put(ns, "e", { content: "tea e" }, undefined, { ttlMs: 5 });
    await store.delete(ns, "a");
    await store.put(ns, "b", { content: "tea b" }, false);
    clock.time += 10;
    await store.put(ns, "f", { content: "tea f" });
    await store.deleteAll(ns, { filter: { content: "tea c" } });
    const counts = await owner.query(
      `SELECT (SELECT count(*)::integer FROM "${schema}".keepsake_vectors) AS vectors,
         (SELECT count(*)::integer FROM "${schema}".keepsake_documents) AS documents,
         (SELECT count(*)::integer FROM "${schema}".keepsake_items) AS items,
         vectors::integer AS counted, documents::integer AS counted_documents, total_length::integer AS length FROM "${schema}".keepsake_namespaces`,
    );
    expect(counts).toEqual([
      { vectors: 2, documents: 2, items: 3, counted: 2, counted_documents: 2, length: 400 },
    ]);
    await store.deleteAll(ns);
    expect(await owner.query(`SELECT * FROM "${schema}".keepsake_namespaces`)).toEqual([]);
    await store.close();
  });
});

describe("maintain", { timeout }, () => {
  test("removes what has expired in whatever namespace, and makes the index of vectors that another role could not", async () => {
    const schema = freshSchema();
    const clock = { time: 1000 };
    const store = new PostgresStore({
      pool: app.pool,
      schema,
      rls: true,
      index: { embed: hashingEmbedder(8) },
      now: () => clock.time,
    });
    await store.batch(
      Array.from({ length: 120 }, (_, n) => ({
        namespace: [`n${n}`],
        key: "k",
        value: { content: "tea" },
        options: { ttlMs: n === 0 ? 1000 : 10 },
      })),
    );
    await owner.query(`DROP INDEX "${schema}".keepsake_vectors_hnsw_8`);
    clock.time += 20;
    await store.maintain();
    const state = await owner.query(
      `SELECT (SELECT count(*)::integer FROM "${schema}".keepsake_items) AS items,
         (SELECT count(*)::integer FROM "${schema}".keepsake_namespaces) AS namespaces,
         (SELECT count(*)::integer FROM "${schema}".keepsake_vectors) AS vectors,
         to_regclass($1) IS NOT NULL AS indexed`,
      [`"${schema}".keepsake_vectors_hnsw_8`],
    );
    expect(state).toEqual([{ items: 1, namespaces: 1, vectors: 1, indexed: true }]);
    await store.close();
  });
});

describe("row-level security", { timeout }, () => {
  test("a statement without the range sees nothing, one with it only what is inside, and none can write outside", async () => {
    const schema = freshSchema();
    const store = new PostgresStore({
      pool: app.pool,
      schema,
      rls: true,
      index: { embed: hashingEmbedder(8) },
    });
    await store.put(["u", "1"], "k", { content: "tea" });
    await store.put(["u", "10"], "k", { content: "tea" });
    const tables = ["namespaces", "items", "documents", "vectors"].map(
      (name) => `"${schema}".keepsake_${name}`,
    );
    const client = await app.pool.connect();
    const count = async (table: string): Promise<number> =>
      Number(
        (await client.query(`SELECT count(*) AS n FROM ${table}`)).rows.map(
          (row) => (row as { n: unknown }).n,
        )[0],
      );
    try {
      for (const table of tables) expect(await count(table), table).toBe(0);
      await client.query("BEGIN");
      await client.query(
        `SELECT set_config('keepsake.from', '"u","1",', true), set_config('keepsake.to', '"u","1",!', true)`,
      );
      for (const table of tables) expect(await count(table), table).toBe(1);
      const [own] = (await client.query(`SELECT id FROM ${tables[0]}`)).rows as { id: number }[];
      const foreign = Number(own?.id) + 1;
      expect(
        (await client.query(`UPDATE ${tables[1]} SET value = '{}' WHERE namespace = ${foreign} RETURNING id`))
          .rows,
      ).toEqual([]);
      for (const statement of [
        `UPDATE ${tables[1]} SET namespace = ${foreign}`,
        `INSERT INTO ${tables[0]} (name) VALUES ('"v",')`,
        `INSERT INTO ${tables[2]} VALUES (99, ${foreign}, 0, '{}', '{}')`,
      ]) {
        await client.query("SAVEPOINT s");
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: "42501" });
        await client.query("ROLLBACK TO SAVEPOINT s");
      }
      await client.query("COMMIT");
      // The setting ends with the transaction.
      for (const table of tables) expect(await count(table), table).toBe(0);
    } finally {
      client.release();
    }
    expect(await store.count(["u"])).toBe(2);
    await store.close();
  });

  test("once on, it is on for every store of the schema", async () => {
    const schema = freshSchema();
    const open = (rls?: boolean) =>
      new PostgresStore({ pool: app.pool, schema, ...(rls === undefined ? {} : { rls }) });
    const [first, guarded, later] = [open(), open(true), open()];
    await first.put(ns, "k", { content: "tea" });
    await first.close();
    await guarded.setup();
    expect(await guarded.search(["n"], { query: "tea" })).toHaveLength(1);
    await later.put(["m"], "k", { content: "tea" });
    expect(await later.search([], { query: "tea" })).toHaveLength(2);
    expect(await later.listNamespaces()).toEqual([["m"], ["n"]]);
    expect(await later.reindex()).toBe(2);
    expect(await app.query(`SELECT * FROM "${schema}".keepsake_items`)).toEqual([]);
    await Promise.all([guarded.close(), later.close()]);
  });

  test("a role that it does not bind is refused, by whichever store", async () => {
    const schema = freshSchema();
    const refused = { code: "invalid_config", message: expect.stringContaining("does not bind the role") };
    await expect(new PostgresStore({ pool: owner.pool, schema, rls: true }).setup()).rejects.toMatchObject(
      refused,
    );
    await new PostgresStore({ pool: app.pool, schema, rls: true }).setup();
    await expect(new PostgresStore({ pool: owner.pool, schema }).get(ns, "k")).rejects.toMatchObject(refused);
  });
});

describe("transactions", { timeout }, () => {
  test("a statement that fails leaves nothing behind, the connection is given back, and the store goes on", async () => {
    const schema = freshSchema();
    const state = { failing: "", lent: 0 };
    const pool = {
      connect: async () => {
        const client = await owner.pool.connect();
        state.lent += 1;
        return {
          query: (text: string, values?: unknown[]) =>
            state.failing !== "" && text.includes(state.failing)
              ? client.query("SELECT 1 / 0")
              : client.query(text, values),
          release: () => {
            state.lent -= 1;
            client.release();
          },
        };
      },
    };
    const store = new PostgresStore({ pool, schema });
    await store.put(ns, "before", { content: "tea" });
    state.failing = "keepsake_documents AS d (item";
    await expect(
      store.batch([
        { namespace: ns, key: "before", value: null },
        { namespace: ns, key: "k", value: { content: "tea" } },
      ]),
    ).rejects.toMatchObject({
      code: "database_failed",
      message: expect.stringContaining("division by zero"),
    });
    state.failing = "";
    expect((await store.search(ns, { query: "tea" })).map(({ key }) => key)).toEqual(["before"]);
    expect(state.lent).toBe(0);
    await store.close();
  });

  test.each(["40001", "40P01"])(
    "what failed because of other writers (%s) is tried again as a whole",
    async (code) => {
      const schema = freshSchema();
      let failures = 2;
      const commits = vi.fn();
      const pool = {
        connect: async () => {
          const client = await owner.pool.connect();
          return {
            query: (text: string, values?: unknown[]) => {
              if (text === "COMMIT") commits();
              if (text === "COMMIT" && failures > 0) {
                failures -= 1;
                return Promise.reject(Object.assign(new Error("others"), { code }));
              }
              return client.query(text, values);
            },
            release: () => client.release(),
          };
        },
      };
      await new PostgresStore({ pool: owner.pool, schema }).setup();
      failures = 0;
      const store = new PostgresStore({ pool, schema });
      await store.setup();
      failures = 2;
      await store.put(ns, "k", { content: "tea" });
      expect(failures).toBe(0);
      expect(await store.get(ns, "k")).toMatchObject({ version: 1 });
      await store.close();
    },
  );

  test("an aborted search gives its connection back", async () => {
    const schema = freshSchema();
    const store = new PostgresStore({ pool: owner.pool, schema });
    await store.put(ns, "k", { content: "tea" });
    const controller = new AbortController();
    const searching = store.search(ns, {
      query: "tea",
      filter: { content: "tea" },
      signal: controller.signal,
    });
    controller.abort(new Error("enough"));
    await expect(searching).rejects.toThrow("enough");
    expect(await store.count(ns)).toBe(1);
    await store.close();
  });
});
