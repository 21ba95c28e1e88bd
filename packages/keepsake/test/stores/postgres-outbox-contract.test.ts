import { describe, test } from "vitest";
import type { Outbox } from "../../src/delivery/index.ts";
import { PostgresOutbox } from "../../src/stores/postgres/index.ts";
import {
  type ContractSubject,
  type OutboxContractContext,
  outboxContract,
  runContract,
} from "../../src/testing/index.ts";
import {
  databaseUrl,
  embedded,
  freshSchema,
  poolerUrl,
  server,
  type TestDatabase,
  withoutPooler,
  withoutServer,
} from "./postgres-pools.ts";

interface Context extends OutboxContractContext {
  readonly opened: Outbox[];
}

const tables = ["lanes", "claims", "deliveries", "bodies"];

/** One schema, emptied for each row, which is faster than making tables. The clock is the database's: time has to pass. */
function subjectOf({ pool, query }: TestDatabase): ContractSubject<Context> {
  const schema = freshSchema();
  return {
    capabilities: { persistent: true, shared: true },
    setUp: async () => {
      const opened: Outbox[] = [];
      const open: Context["createOutbox"] = (config = {}) => {
        const outbox = new PostgresOutbox({ pool, schema, ...config });
        opened.push(outbox);
        return outbox;
      };
      const first = new PostgresOutbox({ pool, schema });
      await first.setup();
      await first.close();
      await query(`TRUNCATE ${tables.map((name) => `"${schema}".keepsake_outbox_${name}`).join(", ")}`);
      return {
        opened,
        createOutbox: open,
        openAnother: open,
        reopen: open,
        advance: (byMs) => new Promise((resolve) => setTimeout(resolve, byMs)),
      };
    },
    tearDown: async ({ opened }) => {
      for (const outbox of opened) await outbox.close();
    },
  };
}

describe("PostgresOutbox on PGlite", async () => {
  runContract(outboxContract, subjectOf(await embedded({ pgvector: false })), { test, skip: test.skip });
});

describe.skipIf(databaseUrl === undefined)(`PostgresOutbox on a server${withoutServer}`, () => {
  if (databaseUrl === undefined) return;
  runContract(outboxContract, subjectOf(server(databaseUrl)), { test, skip: test.skip });
});

describe.skipIf(poolerUrl === undefined)(`PostgresOutbox behind a pooler${withoutPooler}`, () => {
  if (poolerUrl === undefined) return;
  runContract(outboxContract, subjectOf(server(poolerUrl)), { test, skip: test.skip });
});
