import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InMemoryStore, type Store } from "../../src/store/index.ts";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { SqliteStore } from "../../src/stores/sqlite/index.ts";
import { hashingEmbedder } from "../../src/testing/index.ts";
import { drivers } from "./drivers.ts";
import { searchAtRandom, seedOfRun } from "./isolation-search.ts";
import { databaseUrl, freshSchema, server, withoutServer } from "./postgres-pools.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Registers the tests of isolation, for every store; each searches by words, by vectors and by both. */
export function testIsolation(size: { readonly namespaces: number; readonly searches: number }): void {
  const folder = temporaryFolder();
  const seed = seedOfRun();
  const timeout = 20_000 + size.searches * 10;
  const title = `no foreign item in ${size.searches} searches over ${size.namespaces} namespaces (KEEPSAKE_SEED=${seed})`;
  const run = async (store: Store): Promise<void> => {
    const result = await searchAtRandom(store, { ...size, seed });
    await store.close();
    expect(result.foreign.slice(0, 5), `seed ${seed}`).toEqual([]);
    expect(result.incomplete.slice(0, 5), `seed ${seed}`).toEqual([]);
    expect(result.found).toBeGreaterThan(size.searches);
  };

  const index = () => ({ index: { embed: hashingEmbedder(16), fields: ["content"] } });

  describe("isolation", () => {
    test(`InMemoryStore: ${title}`, { timeout }, () => run(new InMemoryStore(index())));
    for (const { name: driver, missing } of drivers) {
      test.skipIf(missing !== undefined)(
        `SqliteStore with ${driver}: ${title}${missing === undefined ? "" : ` (skipped: ${missing})`}`,
        { timeout },
        () => run(new SqliteStore(join(folder, `${driver.replace(":", "-")}.db`), { driver, ...index() })),
      );
    }
    test.skipIf(databaseUrl === undefined)(
      `PostgresStore: ${title}${withoutServer}`,
      { timeout },
      async () => {
        const { pool, query } = server(databaseUrl ?? "");
        const schema = freshSchema();
        await run(new PostgresStore({ pool, schema, ...index() }));
        await query(`DROP SCHEMA "${schema}" CASCADE`);
      },
    );
  });
}
