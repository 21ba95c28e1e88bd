import type { Namespace, SearchItem } from "../../store/index.ts";
import { checkOptions, isCount, isRecord, type OptionKind } from "../../util/index.ts";
import { memoryRecord } from "../record.ts";
import type { MemoryRecord } from "../types.ts";
import type { EngineCore } from "./core.ts";
import type { ListOptions } from "./types.ts";

const kinds: Readonly<Record<keyof ListOptions, OptionKind>> = {
  limit: isCount(0),
  offset: isCount(0),
  categories: [
    "a list of strings",
    (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  ],
  filter: ["an object of conditions by field", isRecord],
};

const pageSize = 200;

/** The memories of a namespace itself, without those below it, the newest first. */
export async function listMemories(
  { store, settings }: EngineCore,
  namespace: Namespace,
  options: ListOptions,
): Promise<MemoryRecord[]> {
  checkOptions("list", options, kinds);
  const { limit = 100, offset = 0, categories, filter } = options;
  const found: MemoryRecord[] = [];
  for (let start = 0; found.length < offset + limit; start += pageSize) {
    const page: SearchItem[] = await store.search(namespace, {
      limit: pageSize,
      offset: start,
      ...(filter === undefined ? {} : { filter }),
    });
    const own = page.filter((item) => item.namespace.length === namespace.length);
    const records = own.map((item) => memoryRecord(item, settings));
    found.push(
      ...records.filter((record) => categories?.some((name) => record.categories.includes(name)) ?? true),
    );
    if (page.length < pageSize) break;
  }
  return found.slice(offset, offset + limit);
}
