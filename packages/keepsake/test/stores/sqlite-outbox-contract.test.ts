import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { SqliteOutbox, type SqliteOutboxConfig } from "../../src/stores/sqlite/index.ts";
import {
  type ContractSubject,
  type OutboxContractContext,
  outboxContract,
  runContract,
} from "../../src/testing/index.ts";
import { drivers } from "./drivers.ts";
import { slowDriver } from "./own-drivers.ts";

interface Context extends OutboxContractContext {
  readonly opened: SqliteOutbox[];
  readonly folder: string;
}

/** A file of its own for each row. */
function subjectOf(driverAt: (path: string) => SqliteOutboxConfig, sync: boolean): ContractSubject<Context> {
  return {
    capabilities: { clock: true, persistent: true, shared: true, sync },
    setUp: () => {
      const folder = mkdtempSync(join(tmpdir(), "keepsake-outbox-"));
      const path = join(folder, "outbox.db");
      const opened: SqliteOutbox[] = [];
      let now = Date.now();
      const open: Context["createOutbox"] = (config = {}) => {
        const outbox = new SqliteOutbox(path, { ...driverAt(path), ...config, now: () => now });
        opened.push(outbox);
        return outbox;
      };
      return {
        opened,
        folder,
        createOutbox: open,
        openAnother: open,
        reopen: open,
        advance: (byMs) => {
          now += byMs;
        },
      };
    },
    tearDown: async ({ opened, folder }) => {
      for (const outbox of opened) await outbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe.each(drivers)("SqliteOutbox over $name", ({ name, missing }) => {
  if (missing === undefined) {
    runContract(
      outboxContract,
      subjectOf(() => ({ driver: name }), true),
      { test, skip: test.skip },
    );
  } else {
    test.skip(`the outbox contract (skipped: ${missing})`);
  }
});

describe("SqliteOutbox over an asynchronous driver", () => {
  runContract(
    outboxContract,
    subjectOf((path) => ({ driver: slowDriver(path) }), false),
    {
      test,
      skip: test.skip,
    },
  );
});
