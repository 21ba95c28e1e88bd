import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { hashingEmbedder } from "../../src/testing/index.ts";
import { searchAtRandom, seedOfRun } from "./isolation-search.ts";
import { namespace, steps } from "./operations.ts";
import {
  asOrdinaryRole,
  databaseUrl,
  embedded,
  emptySchema,
  freshSchema,
  server,
  type TestDatabase,
  withoutServer,
} from "./postgres-pools.ts";

const fields = { title: 2, "body.text": 1, n: 0.3 };
const timeout = 240_000;

/** The result of a step, or the code of its error. */
async function outcome(run: Promise<unknown>): Promise<unknown> {
  try {
    return await run;
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}

interface Variant {
  readonly rls: boolean;
  readonly runs: number;
}

function testModel(database: () => TestDatabase, { rls, runs }: Variant): void {
  test("does what an InMemoryStore does, scores included, in every random history", { timeout }, async () => {
    const { pool, query } = database();
    const schema = freshSchema();
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (history, embeds) => {
        const clock = { time: 1_000_000 };
        const index = embeds ? { fields, embed: hashingEmbedder(8) } : { fields };
        const config = { index, now: () => clock.time };
        const model = new InMemoryStore(config);
        const store = new PostgresStore({ pool, schema, rls, ...config });
        await store.setup();
        await emptySchema(query, schema);
        for (const [position, step] of history.entries()) {
          clock.time += position % 2;
          const expected = await outcome(step.run(model));
          expect(await outcome(step.run(store)), step.name).toEqual(expected);
        }
        await store.close();
      }),
      { numRuns: runs },
    );
    await query(`DROP SCHEMA "${schema}" CASCADE`);
  });

  test("no search, count, listing or deletion reaches a foreign item", { timeout }, async () => {
    const { pool, query } = database();
    const schema = freshSchema();
    const store = new PostgresStore({ pool, schema, rls });
    await store.setup();
    await fc.assert(
      fc.asyncProperty(
        fc.array(namespace, { minLength: 2, maxLength: 8 }),
        namespace,
        async (namespaces, prefix) => {
          await emptySchema(query, schema);
          const isUnder = (place: readonly string[]): boolean =>
            prefix.every((part, at) => part === place[at]);
          const own = new Set(namespaces.filter(isUnder).map((place) => JSON.stringify(place)));
          await store.batch(
            namespaces.map((place) => ({ namespace: place, key: "k", value: { content: "tea" } })),
          );
          for (const options of [{}, { query: "tea" }]) {
            const found = await store.search(prefix, { ...options, limit: 100 });
            expect(new Set(found.map((item) => JSON.stringify(item.namespace)))).toEqual(own);
          }
          expect(await store.count(prefix)).toBe(own.size);
          expect(await store.deleteAll(prefix)).toBe(own.size);
          for (const place of namespaces) {
            expect((await store.get(place, "k")) !== null).toBe(!isUnder(place));
          }
        },
      ),
      { numRuns: runs },
    );
    await store.close();
    await query(`DROP SCHEMA "${schema}" CASCADE`);
  });
}

function testRandomSearches(
  database: () => TestDatabase,
  size: { readonly namespaces: number; readonly searches: number },
): void {
  const seed = seedOfRun();
  test(`no foreign item in ${size.searches} searches over ${size.namespaces} namespaces (KEEPSAKE_SEED=${seed})`, {
    timeout,
  }, async () => {
    const { pool, query } = database();
    const schema = freshSchema();
    const index = { embed: hashingEmbedder(16), fields: ["content"] };
    const store = new PostgresStore({ pool, schema, index });
    const result = await searchAtRandom(store, { ...size, seed });
    await store.close();
    await query(`DROP SCHEMA "${schema}" CASCADE`);
    expect(result.foreign.slice(0, 5), `seed ${seed}`).toEqual([]);
    expect(result.incomplete.slice(0, 5), `seed ${seed}`).toEqual([]);
    expect(result.found).toBeGreaterThan(size.searches);
  });
}

let pglite: TestDatabase;
let ordinary: TestDatabase;
beforeAll(async () => {
  pglite = await embedded({ pgvector: true });
  ordinary = await asOrdinaryRole(pglite);
}, timeout);

// The first test, before anyone has created the extension: an ordinary role may not.
describe("a PostgresStore on PGlite without pgvector, with row-level security", () => {
  test("there is no pgvector", async () => {
    expect(await pglite.query("SELECT 1 FROM pg_extension WHERE extname = 'vector'")).toEqual([]);
  });
  testModel(() => ordinary, { rls: true, runs: 20 });
});

describe("a PostgresStore on PGlite with pgvector", () => {
  testModel(() => pglite, { rls: false, runs: 20 });
  test("there is pgvector", async () => {
    expect(await pglite.query("SELECT 1 FROM pg_extension WHERE extname = 'vector'")).toHaveLength(1);
  });
  testRandomSearches(() => pglite, { namespaces: 100, searches: 300 });
});

describe.skipIf(databaseUrl === undefined)(`a PostgresStore on a server${withoutServer}`, () => {
  const database = databaseUrl === undefined ? undefined : server(databaseUrl);
  testModel(() => database as TestDatabase, { rls: false, runs: 100 });
});
