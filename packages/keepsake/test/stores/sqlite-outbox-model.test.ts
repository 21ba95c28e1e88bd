import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteOutbox } from "../../src/stores/sqlite/index.ts";
import { seedOfRun } from "./isolation-search.ts";
import { followModel } from "./outbox-model.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const seed = seedOfRun();

test.each([0, 1, 2, 3])(
  `a random history gives the answers of the outbox in memory (KEEPSAKE_SEED=${seed} + %i)`,
  async (offset) => {
    let now = 1_700_000_000_000;
    const outbox = new SqliteOutbox(join(folder, `${offset}.db`), {
      now: () => now,
      retainMs: 1_000_000,
      synchronous: "normal",
    });
    const advance = (byMs: number): void => {
      now += byMs;
    };
    await followModel({ outbox, now: () => now, advance }, { seed: seed + offset, steps: 500 });
    expect((await outbox.stats()).claimed).toBeGreaterThan(0);
    await outbox.close();
  },
);
