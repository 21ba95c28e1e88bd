import type { SearchItem, Store } from "keepsake/store";
import { withExistingStore } from "../database.ts";
import { formatNamespace } from "../namespace.ts";
import { contentOf, itemDocument, speakerOf, timeOf } from "../output/items.ts";
import type { Screen } from "../output/screen.ts";
import { oneLine, padEnd, textWidth, truncate } from "../output/text.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** The options of `keepsake list`. */
export interface ListCommandOptions extends CommonOptions {
  readonly namespace?: string[];
  readonly limit: number;
  readonly offset: number;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Lists the namespaces of a database, or the items of one namespace, newest first. */
export async function list(options: ListCommandOptions, { screen }: CommandContext): Promise<void> {
  const { db, namespace } = options;
  const page: Page = { limit: options.limit, offset: options.offset };
  await withExistingStore(db, (store) =>
    namespace === undefined
      ? listNamespaces(store, page, screen)
      : listItems(store, page, { screen, namespace }),
  );
}

async function listNamespaces(store: Store, { limit, offset }: Page, screen: Screen): Promise<void> {
  const found = await store.listNamespaces({ limit: limit + 1, offset });
  const rows: { namespace: string[]; items: number }[] = [];
  for (const namespace of found.slice(0, limit)) {
    rows.push({ namespace, items: await store.count(namespace) });
  }
  const hasMore = found.length > limit;
  screen.document({ namespaces: rows, next_offset: hasMore ? offset + limit : null });
  if (rows.length === 0)
    screen.line(offset === 0 ? "The database is empty." : "There are no more namespaces.");
  printNamespaces(screen, rows);
  if (hasMore) screen.line(screen.style.dim(`more with --offset ${offset + limit}`));
}

function printNamespaces(screen: Screen, rows: readonly { namespace: string[]; items: number }[]): void {
  const labelled = rows.map(({ namespace, items }) => ({
    label: truncate(oneLine(formatNamespace(namespace)), screen.width - 16),
    items,
  }));
  const widest = Math.max(0, ...labelled.map(({ label }) => textWidth(label)));
  for (const { label, items } of labelled) {
    screen.line(`${padEnd(label, widest)}  ${items} ${items === 1 ? "item" : "items"}`);
  }
}

async function listItems(
  store: Store,
  { limit, offset }: Page,
  { screen, namespace }: { readonly screen: Screen; readonly namespace: string[] },
): Promise<void> {
  const total = await store.count(namespace);
  const items = await store.search(namespace, { limit, offset });
  const next = offset + items.length;
  const hasMore = items.length > 0 && next < total;
  screen.document({ namespace, total, items: items.map(itemDocument), next_offset: hasMore ? next : null });
  for (const item of items) printItem(screen, item);
  const place = oneLine(formatNamespace(namespace));
  if (total === 0)
    screen.line(`There is nothing in ${place}. keepsake list shows the namespaces that there are.`);
  else if (items.length === 0)
    screen.line(`${place} has ${total} items; --offset ${offset} is beyond the last.`);
  else if (hasMore || offset > 0) {
    const more = hasMore ? `; more with --offset ${next}` : "";
    screen.line(screen.style.dim(`${offset + 1} to ${next} of ${total}${more}`));
  }
}

function printItem(screen: Screen, item: SearchItem): void {
  const { style, width } = screen;
  const head = `${timeOf(item)}  ${padEnd(truncate(speakerOf(item), 9), 9)}`;
  const text = truncate(contentOf(item), width - textWidth(head) - 2);
  screen.line(`${style.dim(head)}  ${text}`);
}
