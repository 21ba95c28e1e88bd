import type { SearchItem, Store } from "keepsake/store";
import { withExistingStore } from "../database.ts";
import { CliError } from "../errors.ts";
import { formatNamespace } from "../namespace.ts";
import { contentOf, itemDocument, itemHeading } from "../output/items.ts";
import type { Screen } from "../output/screen.ts";
import { oneLine, wrap } from "../output/text.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** The options of `keepsake search`. */
export interface SearchCommandOptions extends CommonOptions {
  readonly namespace: string[];
  readonly limit: number;
}

/** Lines of a result's text that are shown. */
const shownLines = 6;

/** Finds what was remembered, best first. */
export async function search(
  words: readonly string[],
  { db, namespace, limit }: SearchCommandOptions,
  { screen }: CommandContext,
): Promise<void> {
  const query = words.join(" ").trim();
  if (query === "") {
    throw new CliError("usage", "The query is empty: say what to look for. keepsake list shows everything.");
  }
  const { items, total } = await withExistingStore(db, (store) => find(store, namespace, { query, limit }));
  screen.document({ query, namespace, items: items.map(itemDocument) });
  for (const [index, item] of items.entries()) printResult(screen, item, { rank: index + 1, namespace });
  if (items.length === 0) screen.line(nothingFound(query, namespace, total));
}

async function find(
  store: Store,
  namespace: string[],
  options: { readonly query: string; readonly limit: number },
): Promise<{ items: SearchItem[]; total: number }> {
  const items = await store.search(namespace, options);
  return { items, total: items.length > 0 ? items.length : await store.count(namespace) };
}

function printResult(
  screen: Screen,
  item: SearchItem,
  { rank, namespace }: { readonly rank: number; readonly namespace: readonly string[] },
): void {
  const { style, width } = screen;
  screen.line(`${String(rank).padStart(2)}  ${itemHeading(item, namespace, style)}`);
  for (const line of wrap(contentOf(item), width - 4, shownLines)) screen.line(`    ${line}`);
}

function nothingFound(query: string, namespace: readonly string[], total: number): string {
  const place = oneLine(formatNamespace(namespace));
  if (total > 0) return `Nothing in ${place} (${total} items) matches "${oneLine(query)}".`;
  return `There is nothing in ${place}. keepsake list shows the namespaces that there are.`;
}
