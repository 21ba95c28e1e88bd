import { expect, test } from "vitest";
import { storeContract } from "../packages/keepsake/src/testing/index.ts";
import {
  langGraphMemorySubject,
  whyNotOffered,
} from "../packages/keepsake/test/testing/langgraph-subjects.ts";
import { recordContract } from "../packages/keepsake/test/testing/record-contract.ts";
import { read, repositoryRoot } from "./lib/files.ts";
import { outcomesFile, parseOutcomes, tablePage, withTable } from "./lib/store-table.ts";

const outcomes = parseOutcomes(read(repositoryRoot, outcomesFile));
const remedy = "run `node scripts/postgres.mjs run npm run docs:stores`";

test("the table in the docs is that of the outcomes", () => {
  const page = read(repositoryRoot, tablePage);
  expect(withTable(page, outcomes), remedy).toBe(page);
});

test("the outcomes are of the rows that the contract has", () => {
  const rows = storeContract.map(({ id }) => id).sort();
  for (const store of outcomes.stores) expect(Object.keys(store.rows).sort(), remedy).toEqual(rows);
});

test("keepsake's stores pass every row that is asked of them", () => {
  const own = outcomes.stores.filter(({ name }) => !name.startsWith("LangGraph"));
  expect(own.length).toBeGreaterThan(1);
  for (const { name, rows } of own) {
    const failed = Object.entries(rows).filter(([, outcome]) => outcome.startsWith("fail"));
    expect(failed, name).toEqual([]);
  }
});

test("LangGraph's store in memory passes and fails what the outcomes say", { timeout: 120_000 }, async () => {
  const expected = outcomes.stores.find(({ name }) => name === "LangGraph `InMemoryStore`")?.rows;
  // The large rows take a while, and say the same in every run.
  const rows = storeContract.filter(({ id }) => !id.startsWith("many/"));
  const found = await recordContract(rows, langGraphMemorySubject(), whyNotOffered);
  const kinds = (of: Record<string, string> = {}) => rows.map(({ id }) => `${id}: ${of[id]?.split(":")[0]}`);
  expect(kinds(found), remedy).toEqual(kinds(expected));
});

test("a page without the markers is refused", () => {
  expect(() => withTable("# Stores", outcomes)).toThrow(/has no markers/);
});
