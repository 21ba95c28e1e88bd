/** `npm run bench:locomo -- --data <path> [--db sqlite|memory|postgres] [--hybrid] [--json]`: what it measures is told in bench/README.md. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { turnIndex } from "keepsake/memory";
import { PostgresStore } from "keepsake/postgres";
import { SqliteStore } from "keepsake/sqlite";
import { type IndexConfig, InMemoryStore, type Store } from "keepsake/store";
import { commit, machine } from "../measured-on.ts";
import { parseDialogues } from "./dataset.ts";
import { encoder } from "./encoder.ts";
import { type Answer, figuresOf } from "./metric.ts";
import { ask, remember } from "./replay.ts";
import { markdown, type Report, save } from "./report.ts";

const usage = `Replays LoCoMo's conversations through the whole pipeline and measures how much of the evidence a search finds.

  npm run bench:locomo -- --data <locomo.json> [--db sqlite|memory|postgres] [--out <folder>] [--json]

  --data   a file of LoCoMo's format: a list of { sample_id, conversation, qa }
  --db     the store (default sqlite, in a temporary file); postgres: the one at DATABASE_URL, in a schema of its own
  --hybrid with vectors of the sentence encoder of @energetic-ai beside the words; asks every question by words, too
  --out    where locomo.json and locomo.md go (default bench/results)
  --json   print JSON instead of a page`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      db: { type: "string", default: "sqlite" },
      out: { type: "string", default: join(import.meta.dirname, "../results") },
      hybrid: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || values.data === undefined) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const report = await measure(values.data, values.db, values.hybrid);
  save(report, values.out);
  console.log(values.json ? JSON.stringify(report, undefined, 2) : markdown(report));
}

async function measure(path: string, database: string, hybrid: boolean): Promise<Report> {
  const dialogues = parseDialogues(readFileSync(path, "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "keepsake-locomo-"));
  const index = hybrid ? { ...turnIndex, embed: await encoder() } : turnIndex;
  const store = openStore(database, join(folder, "locomo.db"), index);
  const answers: Answer[] = [];
  const byWords: Answer[] = [];
  const start = performance.now();
  try {
    for (const dialogue of dialogues) {
      const turnIds = await remember(dialogue, store);
      answers.push(...(await ask(dialogue, store, turnIds, "hybrid")));
      if (hybrid) byWords.push(...(await ask(dialogue, store, turnIds, "keyword")));
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const searchedMs = [...answers, ...byWords].reduce((sum, { searchMs }) => sum + searchMs, 0);
  return {
    bench: hybrid ? "locomo-hybrid" : "locomo",
    database,
    byWords: hybrid ? figuresOf(byWords) : undefined,
    ...figuresOf(answers),
    data: {
      conversations: dialogues.length,
      turns: dialogues.reduce((sum, { messages }) => sum + messages.length, 0),
      unresolvedQuestions: dialogues.reduce((sum, { unresolved }) => sum + unresolved, 0),
    },
    replaySeconds: (performance.now() - start - searchedMs) / 1000,
    machine: machine(),
    commit: commit("bench/locomo"),
    date: new Date().toISOString().slice(0, 10),
  };
}

function openStore(database: string, path: string, index: IndexConfig): Store {
  if (database === "sqlite") return new SqliteStore(path, { index });
  if (database === "memory") return new InMemoryStore({ index });
  if (database === "postgres")
    return new PostgresStore({
      connectionString: process.env.DATABASE_URL ?? "",
      schema: `locomo_${Date.now()}`,
      index,
    });
  throw new Error(`--db is sqlite, memory or postgres, not "${database}"`);
}

await main();
