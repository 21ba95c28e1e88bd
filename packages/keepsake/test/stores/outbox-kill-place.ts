import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import Database from "better-sqlite3";
import pg from "pg";
import type { Outbox } from "../../src/delivery/index.ts";
import type { Store } from "../../src/store/index.ts";
import { PostgresOutbox, PostgresStore } from "../../src/stores/postgres/index.ts";
import { SqliteOutbox, SqliteStore } from "../../src/stores/sqlite/index.ts";

/** Where a process that is killed keeps everything: other processes find it there. */
export type KillPlace =
  | { readonly kind: "sqlite"; readonly folder: string }
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string };

/** An opened {@link KillPlace}. */
export interface OpenKillPlace {
  readonly saver: BaseCheckpointSaver;
  readonly store: Store;
  readonly outbox: Outbox;
  close(): Promise<void>;
}

/** Opens or makes it. Store and outbox share a file or a schema. */
export async function openKillPlace(place: KillPlace): Promise<OpenKillPlace> {
  if (place.kind === "sqlite") {
    const checkpoints = new Database(`${place.folder}/checkpoints.db`, { timeout: 10_000 });
    const store = new SqliteStore(`${place.folder}/memory.db`);
    const outbox = new SqliteOutbox(`${place.folder}/memory.db`);
    return {
      saver: new SqliteSaver(checkpoints),
      store,
      outbox,
      close: async () => {
        await store.close();
        await outbox.close();
        checkpoints.close();
      },
    };
  }
  const { url, schema } = place;
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  pool.on("error", () => undefined);
  const saver = new PostgresSaver(pool, undefined, { schema: `${schema}_saver` });
  await saver.setup();
  const store = new PostgresStore({ pool, schema });
  const outbox = new PostgresOutbox({ pool, schema });
  return {
    saver,
    store,
    outbox,
    close: async () => {
      await store.close();
      await outbox.close();
      await pool.end();
    },
  };
}

/** What is said in a turn: different in each. */
export function textOf(speaker: "u" | "a", turn: number): string {
  return `${speaker === "u" ? "question" : "answer"} number ${turn}`;
}
