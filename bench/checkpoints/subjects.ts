import { MemorySaver } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import pg from "pg";

/** A saver, and how to see what it has stored. */
export interface Subject {
  readonly name: string;
  readonly saver: BaseCheckpointSaver;
  /** Bytes of everything stored: checkpoints, channel values, pending writes. */
  storedBytes(): Promise<number>;
  /** Bytes of what the next run loads: the newest checkpoint, or where channels are stored apart, its messages. */
  newestBytes(): Promise<number>;
  close(): Promise<void>;
}

const sizeOf = (value: unknown): number => (value instanceof Uint8Array ? value.byteLength : 0);

/** LangGraph's saver in memory. */
export function memorySubject(): Subject {
  const saver = new MemorySaver();
  const checkpoints = () =>
    Object.values(saver.storage).flatMap((thread) => Object.values(thread["" as never] ?? {}));
  const bytesOf = (row: unknown): number =>
    (row as readonly unknown[]).reduce<number>((sum, value) => sum + sizeOf(value), 0);
  return {
    name: "MemorySaver",
    saver,
    async storedBytes() {
      const writes = Object.values(saver.writes).flatMap((each) => Object.values(each));
      return [...checkpoints(), ...writes].reduce<number>((sum, row) => sum + bytesOf(row), 0);
    },
    newestBytes: async () => bytesOf(checkpoints().at(-1)),
    close: async () => undefined,
  };
}

/** LangGraph's saver in a SQLite file. */
export function sqliteSubject(path: string): Subject {
  const saver = SqliteSaver.fromConnString(path);
  const ask = async (sql: string): Promise<number> => Number(saver.db.prepare(sql).pluck().get());
  return {
    name: "SqliteSaver",
    saver,
    storedBytes: () =>
      ask(
        "SELECT (SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints) + (SELECT coalesce(sum(length(value)), 0) FROM writes)",
      ),
    newestBytes: () => ask("SELECT length(checkpoint) FROM checkpoints ORDER BY checkpoint_id DESC LIMIT 1"),
    close: async () => void saver.db.close(),
  };
}

/** LangGraph's saver in Postgres, in a schema of its own. */
export async function postgresSubject(url: string, schema: string): Promise<Subject> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const saver = new PostgresSaver(pool, undefined, { schema });
  await saver.setup();
  const ask = async (sql: string): Promise<number> => Number((await pool.query(sql)).rows[0]?.bytes);
  return {
    name: "PostgresSaver",
    saver,
    storedBytes: () =>
      ask(
        `SELECT (SELECT sum(length(checkpoint::text) + length(metadata::text)) FROM "${schema}".checkpoints)
          + (SELECT coalesce(sum(octet_length(blob)), 0) FROM "${schema}".checkpoint_blobs)
          + (SELECT coalesce(sum(octet_length(blob)), 0) FROM "${schema}".checkpoint_writes) AS bytes`,
      ),
    newestBytes: () =>
      ask(
        `SELECT octet_length(blob) AS bytes FROM "${schema}".checkpoints c JOIN "${schema}".checkpoint_blobs b
          ON b.channel = 'messages' AND b.version = c.checkpoint->'channel_versions'->>'messages'
          ORDER BY c.checkpoint_id DESC LIMIT 1`,
      ),
    async close() {
      await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
      await pool.end();
    },
  };
}
