import { describe, test } from "vitest";
import { runContract, storeContract } from "../../src/testing/index.ts";
import { postgresSubject } from "../testing/postgres-subject.ts";
import {
  databaseUrl,
  embedded,
  poolerUrl,
  server,
  type TestDatabase,
  withoutPooler,
  withoutServer,
} from "./postgres-pools.ts";

const timeoutMs = 180_000;

function contractOn(database: TestDatabase): void {
  describe(`PostgresStore on ${database.name}`, () => {
    runContract(storeContract, postgresSubject(database), {
      test: (title, run) => test(title, { timeout: timeoutMs }, run),
      skip: (title) => test.skip(title, () => undefined),
    });
  });
}

// One connection only: there the rows that need other processes are skipped.
contractOn(await embedded({ pgvector: true }));
if (databaseUrl === undefined) test.skip(`the contract on a server${withoutServer}`, () => undefined);
else contractOn(server(databaseUrl));
if (poolerUrl === undefined) test.skip(`the contract behind a pooler${withoutPooler}`, () => undefined);
else contractOn(server(poolerUrl, "a server behind a pooler in transaction mode"));
