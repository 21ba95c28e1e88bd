import { exec, first, integer, type Program, run, transaction } from "./sqlite-program.ts";
import { checkForeign, markOwner, newer } from "./sqlite-schema.ts";

/** Rises with every change of the tables of the outbox, which share a file with those of a store but not their version. */
const outboxVersion = 1;

/**
 * A lane is a hook and a namespace: its oldest unfinished delivery is its `head`, and `due_at` says when that may be leased (0: at once; under
 * a lease: when that ends; null: there is none). So what is due is found by an index over lanes, however many deliveries wait behind the heads.
 * A claim is the hash of a message's identity. Bodies are apart, so that a change of state does not write them again. Texts that an app
 * chooses freely (thread, error) are JSON.
 *
 * States: 0 pending, 1 leased, 2 retrying, 3 dead, 4 done.
 */
const tables = `
  CREATE TABLE keepsake_outbox_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE keepsake_outbox_lanes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hook TEXT NOT NULL,
    namespace TEXT NOT NULL,
    head INTEGER,
    due_at INTEGER,
    claimed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (hook, namespace)
  );
  CREATE INDEX keepsake_outbox_due ON keepsake_outbox_lanes (hook, due_at, head) WHERE due_at IS NOT NULL;
  CREATE TABLE keepsake_outbox_claims (lane INTEGER, claim BLOB, PRIMARY KEY (lane, claim)) WITHOUT ROWID;
  CREATE TABLE keepsake_outbox_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    lane INTEGER NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    token TEXT,
    retry_at INTEGER NOT NULL DEFAULT 0,
    thread TEXT,
    error TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
  );
  CREATE INDEX keepsake_outbox_unfinished ON keepsake_outbox_deliveries (lane, seq) WHERE state < 3;
  CREATE INDEX keepsake_outbox_dead ON keepsake_outbox_deliveries (seq) WHERE state = 3;
  CREATE INDEX keepsake_outbox_done ON keepsake_outbox_deliveries (finished_at, lane) WHERE state = 4;
  CREATE TABLE keepsake_outbox_bodies (seq INTEGER PRIMARY KEY, bodies TEXT NOT NULL);
`;

/** What each later version adds, by the version that it is added to. */
const migrations: ReadonlyMap<number, string> = new Map();

/**
 * Creates the tables, or adds what an older version lacks; several processes may do it at once.
 *
 * @throws {KeepsakeError} `unsupported_format`
 */
export function* prepareOutbox(path: string): Program<void> {
  if ((yield* versionIn(path)) === outboxVersion) return;
  yield* transaction("write", function* () {
    // Another process may have been faster while this one waited for the lock.
    const found = yield* versionIn(path);
    if (found === 0) yield* create();
    for (let version = Math.max(found, 1); version < outboxVersion; version += 1) {
      yield* exec(migrations.get(version) ?? "");
    }
    yield* run(
      "INSERT INTO keepsake_outbox_meta (name, value) VALUES ('format', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      outboxVersion,
    );
  });
}

function* create(): Program<void> {
  yield* exec(tables);
  yield* markOwner();
}

/** 0: there is no outbox in the file. */
function* versionIn(path: string): Program<number> {
  yield* checkForeign(path);
  const meta = yield* first("SELECT 1 AS found FROM sqlite_schema WHERE name = 'keepsake_outbox_meta'");
  if (meta === undefined) return 0;
  const row = yield* first("SELECT value FROM keepsake_outbox_meta WHERE name = 'format'");
  const version = integer(row, "value");
  if (version > outboxVersion) {
    throw newer(path, `outbox format ${version}`, `outbox format ${outboxVersion}`);
  }
  return version;
}
