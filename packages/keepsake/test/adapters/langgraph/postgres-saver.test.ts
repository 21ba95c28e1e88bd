import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { ReducingSaver } from "../../../src/adapters/langgraph/index.ts";
import { databaseUrl, freshSchema, withoutServer } from "../../stores/postgres-pools.ts";
import {
  ask,
  chatGraph,
  conversation,
  recordingReducer,
  storedMessages,
  textsOf,
  threadOf,
} from "./saver-harness.ts";
import { describeSaver } from "./saver-suite.ts";
import { describeValidation } from "./validation-suite.ts";

describe.skipIf(databaseUrl === undefined)(`in Postgres${withoutServer}`, () => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
  afterAll(() => pool.end());

  async function create(schema = freshSchema()): Promise<PostgresSaver> {
    const saver = new PostgresSaver(pool, undefined, { schema });
    await saver.setup();
    return saver;
  }

  describeSaver({ name: "PostgresSaver", create });
  describeValidation({ name: "PostgresSaver", create });

  it.each(["async", "sync", "exit"] as const)(
    "stores no more at turn 50 than when the window first filled, durability %s",
    async (durability) => {
      const schema = freshSchema();
      const { reducer, texts } = recordingReducer({ minMessages: 10, maxMessages: 20 });
      const saver = new ReducingSaver(await create(schema), reducer);
      const graph = chatGraph(saver);
      const config = { ...threadOf("long"), durability };
      const newest: number[] = [];
      const total: number[] = [];
      for (let turn = 10; turn < 60; turn += 1) {
        await graph.invoke(ask(`question ${turn}`), config);
        const sizes = await pool.query(
          `SELECT octet_length(blob) AS newest, (SELECT sum(octet_length(blob)) FROM "${schema}".checkpoint_blobs) AS total
           FROM "${schema}".checkpoints c JOIN "${schema}".checkpoint_blobs b
             ON b.channel = 'messages' AND b.version = c.checkpoint->'channel_versions'->>'messages'
           ORDER BY c.checkpoint_id DESC LIMIT 1`,
        );
        newest.push(Number(sizes.rows[0].newest));
        total.push(Number(sizes.rows[0].total));
      }
      // The window of 20 is full after ten turns.
      expect(newest.at(-1)).toBeLessThanOrEqual(newest[9] ?? 0);
      const grownIn = (from: number, to: number) => (total[to] ?? 0) - (total[from] ?? 0);
      // Five turns are a whole round of filling and pruning.
      expect(grownIn(44, 49)).toBeLessThanOrEqual(1.02 * grownIn(14, 19));
      const stored = textsOf(await storedMessages(saver, config));
      expect([...texts(), ...stored].sort()).toEqual(conversation(50, 10).sort());
    },
  );
});
