/**
 * `npm run docs:stores [-- name ...]`: runs the store contract against keepsake's stores and LangGraph's (or those named, such as `"LangGraph InMemoryStore"`),
 * and writes the table of what each passes. Those in Postgres are run where DATABASE_URL is set (`node scripts/postgres.mjs run npm run docs:stores`).
 * What is known of those that are not run is kept.
 */

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import pg from "pg";
import { InMemoryStore } from "../packages/keepsake/src/store/index.ts";
import { storeContract } from "../packages/keepsake/src/testing/index.ts";
import {
  langGraphMemorySubject,
  langGraphPostgresSubject,
  whyNotOffered,
} from "../packages/keepsake/test/testing/langgraph-subjects.ts";
import { postgresSubject } from "../packages/keepsake/test/testing/postgres-subject.ts";
import { type Outcomes, recordContract } from "../packages/keepsake/test/testing/record-contract.ts";
import { sqliteSubject } from "../packages/keepsake/test/testing/sqlite-subject.ts";
import { read, repositoryRoot } from "./lib/files.ts";
import {
  type ContractOutcomes,
  outcomesFile,
  parseOutcomes,
  tablePage,
  withTable,
} from "./lib/store-table.ts";

interface Subject {
  readonly name: string;
  readonly version: string;
  /** `undefined` where it cannot be run here. */
  readonly run: (() => Promise<Outcomes>) | undefined;
}

const require = createRequire(import.meta.url);
const versionOf = (name: string): string => require(`${name}/package.json`).version;
const url = process.env.DATABASE_URL;

const subjects: readonly Subject[] = [
  {
    name: "`InMemoryStore`",
    version: "",
    run: () =>
      recordContract(storeContract, {
        capabilities: { keyword: true, vector: true, ttl: true, atomicBatch: true },
        setUp: () => ({ createStore: (config) => new InMemoryStore(config) }),
      }),
  },
  {
    name: "`SqliteStore`",
    version: "",
    run: () => recordContract(storeContract, sqliteSubject("better-sqlite3")),
  },
  {
    name: "`PostgresStore`",
    version: "",
    run: url === undefined ? undefined : () => recordPostgres(url),
  },
  {
    name: "LangGraph `InMemoryStore`",
    version: versionOf("@langchain/langgraph-checkpoint"),
    run: () => recordContract(storeContract, langGraphMemorySubject(), whyNotOffered),
  },
  {
    name: "LangGraph `PostgresStore`",
    version: versionOf("@langchain/langgraph-checkpoint-postgres"),
    run:
      url === undefined
        ? undefined
        : () =>
            recordContract(
              storeContract,
              langGraphPostgresSubject(url, { keyword: true, vector: true }),
              whyNotOffered,
            ),
  },
];

const asked = process.argv.slice(2);
const isAsked = (name: string): boolean => asked.length === 0 || asked.includes(name.replaceAll("`", ""));
const known = readKnown();
const stores: ContractOutcomes["stores"] = [];
for (const { name, version, run } of subjects) {
  const before = known?.stores.find((store) => store.name === name);
  if (run === undefined || !isAsked(name)) {
    console.error(`${name} is not run${run === undefined ? ": DATABASE_URL is not set" : ""}`);
    if (before !== undefined) stores.push(before);
    continue;
  }
  console.error(`${name} ${version}`);
  stores.push({ name, version, rows: await run() });
}
const outcomes = { date: new Date().toISOString().slice(0, 10), stores };
writeFileSync(join(repositoryRoot, outcomesFile), `${JSON.stringify(outcomes, undefined, 2)}\n`);
writeFileSync(join(repositoryRoot, tablePage), withTable(read(repositoryRoot, tablePage), outcomes));
console.error(`wrote ${outcomesFile} and the table of ${tablePage}`);
process.exit(0);

async function recordPostgres(connectionString: string): Promise<Outcomes> {
  const pool = new pg.Pool({ connectionString, max: 8 });
  const query = async (sql: string, values?: unknown[]) => (await pool.query(sql, values)).rows;
  try {
    return await recordContract(
      storeContract,
      postgresSubject({ name: "a server", pool, url: connectionString, query }),
    );
  } finally {
    await pool.end();
  }
}

function readKnown(): ContractOutcomes | undefined {
  try {
    return parseOutcomes(read(repositoryRoot, outcomesFile));
  } catch {
    return undefined;
  }
}
