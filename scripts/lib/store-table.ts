import { z } from "zod";
import { storeContract } from "../../packages/keepsake/src/testing/index.ts";

/** Where what became of each row is kept. */
export const outcomesFile = "bench/results/store-contract.json";
/** The page with the table. */
export const tablePage = "docs/stores.md";

const begin = "<!-- contract table: npm run docs:stores -->";
const end = "<!-- /contract table -->";

const outcomesSchema = z.object({
  date: z.string(),
  stores: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** By row: `pass`, `fail: why`, or `absent: what is missing`. */
      rows: z.record(z.string(), z.string()),
    }),
  ),
});

/** What became of each row of the contract, by store. */
export type ContractOutcomes = z.infer<typeof outcomesSchema>;
type StoreOutcomes = ContractOutcomes["stores"][number];

/** Reads the file of outcomes. */
export function parseOutcomes(text: string): ContractOutcomes {
  return outcomesSchema.parse(JSON.parse(text));
}

/** The page with the table that the outcomes give. */
export function withTable(page: string, outcomes: ContractOutcomes): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${tablePage} has no markers "${begin}" and "${end}"`);
  return `${page.slice(0, from + begin.length)}\n${tableOf(outcomes)}\n${page.slice(to)}`;
}

/** Rows that tell most about a store, for the second table. */
const telling: readonly (readonly [id: string, promise: string])[] = [
  ["namespaces/twins-1", '`["u","1"]` does not see `["u","10"]`'],
  ["namespaces/prefix", 'a search under `["a"]` does not see `["ab"]`; one under `[]` sees everything'],
  ["namespaces/twins-2", '`["a:b"]` is not `["a","b"]`'],
  ["namespaces/twins-4", '`["a.b"]` is not `["a","b"]`'],
  ["namespaces/twins-11", '`["john_doe"]` is not `["john-doe"]`'],
  ["namespaces/list", "`listNamespaces` with prefix, suffix, wildcards, depth"],
  ["items/keys", "keys that no database can keep are refused"],
  ["copies/results", "changing a result does not change the store"],
  ["values/nul", "a NUL character in a text survives"],
  ["items/concurrent-writes", "50 writes started together are all kept"],
  ["filters/refused", "an unknown operator in a filter is refused"],
  ["filters/dotted-path", "filters by dotted path"],
  ["filters/quotes-and-sql-in-a-name", "a field that is missing matches no filter"],
  ["filters/eq-does-not-convert", '`2` is not `"2"`'],
  ["filters/all-combinations-of-numbers", "all 255 combinations of operators"],
  ["batches/order", "a get after a put in one batch sees it"],
  ["search/own-statistics", "rows of other namespaces never change a score"],
  ["search/hostile-queries", "no query is an error, whatever its characters"],
  ["search/finds-2", '"cafe zurich" finds "Café Zürich"'],
  ["search/read-your-writes", "what was just written is found, what was just deleted is not"],
  ["many/pages", "pages of 10 000 items neither skip nor repeat"],
];

function tableOf({ date, stores }: ContractOutcomes): string {
  const groups = [...new Set(storeContract.map(({ id }) => groupOf(id)))];
  const header = ["rows about", ...stores.map(({ name, version }) => `${name} ${version}`.trim())];
  const counts = groups.map((group) => [group, ...stores.map((store) => countOf(store, group))]);
  const total = ["all", ...stores.map((store) => countOf(store, undefined))];
  const promises = telling
    .filter(([id]) => storeContract.some((row) => row.id === id))
    .map(([id, promise]) => [promise, ...stores.map((store) => cellOf(store.rows[id]))]);
  return [
    `Rows passed, of those that can be asked of the store; ${date}.`,
    "",
    ...table([header, ...counts, total]),
    "",
    "Some of them:",
    "",
    ...table([["", ...header.slice(1)], ...promises]),
    "",
  ].join("\n");
}

function groupOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

function countOf(store: StoreOutcomes, group: string | undefined): string {
  const rows = Object.entries(store.rows).filter(([id]) => group === undefined || groupOf(id) === group);
  const asked = rows.filter(([, outcome]) => !outcome.startsWith("absent"));
  const passed = asked.filter(([, outcome]) => outcome === "pass");
  return asked.length === 0 ? "–" : `${passed.length} of ${asked.length}`;
}

/** A label that is refused is no leak. */
function cellOf(outcome: string | undefined): string {
  if (outcome === undefined || outcome.startsWith("absent")) return "–";
  if (outcome === "pass") return "yes";
  return /label .* found in|cannot contain/.test(outcome) ? "refuses the label" : "**no**";
}

function table([header = [], ...rows]: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)];
}
