import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { type ContractJob, hashingEmbedder } from "../../src/testing/index.ts";
import { startProcess } from "../testing/processes.ts";
import { databaseUrl, freshSchema, server, withoutServer } from "./postgres-pools.ts";

const ns = ["n"];
const timeout = 180_000;
const ten = Array.from({ length: 10 }, (_, index) => index);

describe.skipIf(databaseUrl === undefined)(`a server${withoutServer}`, { timeout }, () => {
  const url = databaseUrl ?? "";
  const { query } = databaseUrl === undefined ? { query: async () => [] } : server(databaseUrl);
  const schemas: string[] = [];
  const schemaOf = (): string => {
    schemas.push(freshSchema());
    return schemas.at(-1) ?? "";
  };
  afterAll(async () => {
    for (const schema of schemas) await query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  }, timeout);

  test("ten stores that start at once make one set of tables, and all can write", async () => {
    const schema = schemaOf();
    const stores = ten.map(
      () => new PostgresStore({ connectionString: url, schema, index: { embed: hashingEmbedder(8) } }),
    );
    await Promise.all(stores.map((store) => store.setup()));
    await Promise.all(stores.map((store, index) => store.put(ns, `k${index}`, { content: `tea ${index}` })));
    for (const store of stores) expect(await store.search(ns, { query: "tea", limit: 20 })).toHaveLength(10);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("ten that start with their first write, without setup", async () => {
    const schema = schemaOf();
    const stores = ten.map(() => new PostgresStore({ connectionString: url, schema, rls: false }));
    await Promise.all(stores.map((store, index) => store.put([`n${index}`], "k", { content: "tea" })));
    expect(await stores[0]?.count([])).toBe(10);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("two processes and this one write into one namespace, whose counts stay exact", async () => {
    const schema = schemaOf();
    const target = { kind: "postgres", connectionString: url, schema } as const;
    const job: ContractJob = { kind: "write", namespace: ns, count: 200, batch: 10 };
    const children = await Promise.all([
      startProcess(target, job),
      startProcess(target, { ...job, namespace: ["n", "x"] }),
    ]);
    for (const child of children) child.go();
    const store = new PostgresStore({ connectionString: url, schema });
    for (let n = 0; n < 100; n += 1) {
      await store.put(ns, `own${n}`, { content: "tea" });
      if (n % 2 === 1) await store.delete(ns, `own${n}`);
    }
    for (const child of children) await child.done();
    expect(await store.count(ns)).toBe(450);
    expect(await store.search(ns, { query: "tea", limit: 1000 })).toHaveLength(450);
    const wrong = await query(
      `SELECT n.name FROM "${schema}".keepsake_namespaces n WHERE (n.documents, n.total_length) IS DISTINCT FROM
         (SELECT (count(*), sum(d.length)::bigint) FROM "${schema}".keepsake_documents d WHERE d.namespace = n.id)`,
    );
    expect(wrong).toEqual([]);
    await store.close();
  });

  test("batches that lock namespaces in opposite orders are all carried out", async () => {
    const schema = schemaOf();
    const store = new PostgresStore({ connectionString: url, schema });
    await store.setup();
    const places = ten.map((index) => [`n${index}`]);
    await Promise.all(
      ten.map((round) => {
        const order = round % 2 === 0 ? places : places.toReversed();
        return store.batch(
          order.map((namespace) => ({ namespace, key: `k${round}`, value: { content: "tea" } })),
        );
      }),
    );
    expect(await store.count([])).toBe(100);
    await store.close();
  });

  test("namespaces that come and go under several writers", async () => {
    const schema = schemaOf();
    const store = new PostgresStore({ connectionString: url, schema });
    await Promise.all(
      ten.map(async (writer) => {
        for (let n = 0; n < 20; n += 1) {
          await store.put(ns, `k${writer}`, { content: "tea" });
          await (n % 5 === 4 ? store.deleteAll(ns) : store.delete(ns, `k${writer}`));
        }
      }),
    );
    expect(await store.count([])).toBe(0);
    expect(await query(`SELECT 1 FROM "${schema}".keepsake_namespaces`)).toEqual([]);
    expect(await query(`SELECT 1 FROM "${schema}".keepsake_documents`)).toEqual([]);
    await store.close();
  });

  test("only one of ten creates an item, and ten that count together lose nothing", async () => {
    const schema = schemaOf();
    const stores = ten.map(() => new PostgresStore({ connectionString: url, schema }));
    const created = await Promise.all(stores.map((store, n) => store.compareAndSet(ns, "one", null, { n })));
    expect(created.filter((version) => version === 1)).toHaveLength(1);
    expect(created.filter((version) => version === null)).toHaveLength(9);
    await Promise.all(stores.map((store, n) => store.put(ns, "same", { n })));
    expect(await stores[0]?.get(ns, "same")).toMatchObject({ version: 10 });
    await Promise.all(stores.map((store) => store.close()));
  });

  test("a large namespace is searched through the index of vectors, with the same results as without", async () => {
    const schema = schemaOf();
    const embed = hashingEmbedder(24);
    const store = new PostgresStore({ connectionString: url, schema, index: { embed } });
    await store.put(["other"], "first", { content: "tea" });
    const word = (n: number): string => `w${(n * 7919) % 997} w${(n * 104729) % 499} w${n % 211}`;
    const vectors = await embed(Array.from({ length: 12_000 }, (_, n) => word(n)));
    const [index] = await query(
      "SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND indexdef LIKE '%hnsw%'",
      [schema],
    );
    // Made at once it takes a fraction of the time.
    await query(`DROP INDEX "${schema}".keepsake_vectors_hnsw_24`);
    await query(`INSERT INTO "${schema}".keepsake_namespaces (name, vectors) VALUES ('"large",', 12000)`);
    await query(
      `WITH place AS (SELECT id FROM "${schema}".keepsake_namespaces WHERE name = '"large",'),
       added AS (
         INSERT INTO "${schema}".keepsake_items (namespace, key, created_at, updated_at, version, embedding_hash, value)
         SELECT place.id, 'k' || n, n, n, 1, 'h', '{}' FROM place, generate_series(1, 12000) n RETURNING id, namespace, created_at
       )
       INSERT INTO "${schema}".keepsake_vectors (item, part, namespace, embedding)
       SELECT added.id, 0, added.namespace, l2_normalize(v.vector::vector)
       FROM added JOIN unnest($1::text[]) WITH ORDINALITY v(vector, n) ON v.n = added.created_at`,
      [vectors.map((vector) => JSON.stringify(vector))],
    );
    await query(String(index?.indexdef));
    await query(`ANALYZE "${schema}".keepsake_vectors`);
    const scans = async (): Promise<number> => {
      await query("SELECT pg_stat_force_next_flush()");
      const rows = await query(
        "SELECT coalesce(sum(idx_scan), 0)::integer AS scans FROM pg_stat_user_indexes WHERE schemaname = $1 AND indexrelname LIKE '%hnsw%'",
        [schema],
      );
      return Number(rows[0]?.scans);
    };
    let same = 0;
    for (let n = 1; n <= 20; n += 1) {
      const found = await store.search(["large"], { query: word(n * 131), mode: "vector", limit: 10 });
      expect(found).toHaveLength(10);
      const [wanted = []] = await embed([word(n * 131)]);
      const exact = await query(
        `SELECT i.key FROM "${schema}".keepsake_vectors v JOIN "${schema}".keepsake_items i ON i.id = v.item
         WHERE i.value = '{}' ORDER BY v.embedding <=> $1::vector, i.updated_at DESC LIMIT 10`,
        [JSON.stringify(wanted)],
      );
      const keys = new Set(exact.map(({ key }) => key));
      same += found.filter(({ key }) => keys.has(key)).length;
    }
    await store.close();
    expect(same / 200).toBeGreaterThan(0.9);
    // Statistics reach the view when a connection is idle or ends.
    for (let tries = 0; tries < 100 && (await scans()) === 0; tries += 1)
      await new Promise((done) => setTimeout(done, 100));
    expect(await scans()).toBeGreaterThan(0);
  });
});

describe.skipIf(databaseUrl === undefined)(`failures of a server${withoutServer}`, { timeout }, () => {
  const url = new URL(databaseUrl ?? "postgres://localhost/none");
  const changed = (change: (copy: URL) => void): string => {
    const copy = new URL(url);
    change(copy);
    return copy.href;
  };

  test.each([
    [
      "a wrong password",
      (copy: URL) => {
        copy.password = "not-the-one";
      },
      "28P01",
      /refuses the user or the password/,
    ],
    [
      "a database that is not there",
      (copy: URL) => {
        copy.pathname = "/nowhere";
      },
      "3D000",
      /"nowhere" at .* does not exist/,
    ],
  ])("%s", async (_, change, code, message) => {
    const store = new PostgresStore({ connectionString: changed(change) });
    const error = await store.get(ns, "k").catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({
      code: "database_failed",
      data: { code },
      message: expect.stringMatching(message),
    });
    expect(String((error as Error).message)).not.toMatch(/not-the-one/);
    await store.close();
  });

  test("a statement that takes too long, a lock that is not released", async () => {
    const schema = freshSchema();
    const pool = new pg.Pool({ connectionString: url.href });
    await new PostgresStore({ pool, schema }).put(ns, "k", { a: 1 });
    const impatient = new pg.Pool({ connectionString: url.href, statement_timeout: 300 });
    const store = new PostgresStore({ pool: impatient, schema });
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query(`SELECT * FROM "${schema}".keepsake_namespaces FOR UPDATE`);
    await expect(store.put(ns, "k", { a: 2 })).rejects.toMatchObject({
      code: "database_failed",
      message: expect.stringContaining("statement_timeout"),
    });
    expect((await store.get(ns, "k"))?.value).toEqual({ a: 1 });
    await holder.query("ROLLBACK");
    holder.release();
    await store.put(ns, "k", { a: 2 });
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    await Promise.all([pool.end(), impatient.end()]);
  });

  test("a connection that is ended by the server is replaced, in the pool or in the middle of a transaction; the app's pool stays open", async () => {
    const schema = freshSchema();
    const pool = new pg.Pool({ connectionString: url.href, max: 2, application_name: schema });
    pool.on("error", () => undefined);
    const store = new PostgresStore({ pool, schema });
    await store.put(ns, "k", { content: "tea" });
    const admin = new pg.Pool({ connectionString: url.href });
    const endAll = () =>
      admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
        schema,
      ]);
    await endAll();
    expect(await store.get(ns, "k")).toMatchObject({ version: 1 });
    const holder = await admin.connect();
    await holder.query("BEGIN");
    await holder.query(`SELECT * FROM "${schema}".keepsake_namespaces FOR UPDATE`);
    const waiting = store.put(ns, "k", { content: "coffee" });
    const failed = expect(waiting).rejects.toMatchObject({ code: "database_failed" });
    await new Promise((done) => setTimeout(done, 300));
    await endAll();
    await failed;
    await holder.query("ROLLBACK");
    holder.release();
    await store.put(ns, "k", { content: "milk" });
    expect(await store.search(ns, { query: "milk" })).toHaveLength(1);
    await store.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await admin.query(`DROP SCHEMA "${schema}" CASCADE`);
    await Promise.all([admin.end(), pool.end()]);
  });

  test("a server that is restarted while the store is in use: what was acknowledged is there, and the same store goes on", async () => {
    const script = join(import.meta.dirname, "../../../../scripts/postgres.mjs");
    const child = spawn(process.execPath, [script, "serve"]);
    const said = async (words: RegExp): Promise<string> => {
      for (let text = ""; ; ) {
        const [chunk] = await once(child.stdout, "data");
        text += String(chunk);
        const [found] = words.exec(text) ?? [];
        if (found !== undefined) return found;
      }
    };
    const address = (await said(/postgres:\S+/)).trim();
    const store = new PostgresStore({ connectionString: address });
    const acknowledged: string[] = [];
    let failures = 0;
    let stop = false;
    const writing = (async () => {
      for (let n = 0; !stop; n += 1) {
        try {
          await store.put(ns, `k${n}`, { content: "tea" });
          acknowledged.push(`k${n}`);
        } catch (error) {
          expect(error).toMatchObject({ code: "database_failed" });
          failures += 1;
          await new Promise((done) => setTimeout(done, 20));
        }
      }
    })();
    while (acknowledged.length < 20) await new Promise((done) => setTimeout(done, 20));
    child.stdin.write("restart\n");
    await said(/restarted/);
    const before = acknowledged.length;
    while (acknowledged.length < before + 20) await new Promise((done) => setTimeout(done, 20));
    stop = true;
    await writing;
    expect(failures).toBeGreaterThan(0);
    const keys = new Set((await store.search(ns, { query: "tea", limit: 100_000 })).map(({ key }) => key));
    expect(acknowledged.filter((key) => !keys.has(key))).toEqual([]);
    await store.close();
    child.stdin.end();
    await once(child, "close");
  });
});
