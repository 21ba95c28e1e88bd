import type { Json } from "../util/index.ts";
import { isKeepsakeStore, labelsForHost, labelsFromHost } from "./host-labels.ts";
import type { FoundMemory, HostStore, StoredMemory } from "./host-store.ts";

/** A store seen from one namespace. Whoever holds a place cannot name another: no function of it takes a namespace. */
export interface MemoryPlace {
  get(key: string): Promise<StoredMemory | null>;
  put(key: string, value: Record<string, unknown>): Promise<void>;
  /** Writes a new item; false where the key is taken. */
  create(key: string, value: Record<string, unknown>): Promise<boolean>;
  /** Overwrites an item that was read before; false where it has changed or gone since (which keepsake's stores alone can tell). */
  replace(item: StoredMemory, value: Record<string, unknown>): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** What is in the namespace and below it. */
  search(options: PlaceSearch): Promise<FoundMemory[]>;
  /** Up to `limit` keys of the namespace itself, without those below it. */
  keys(limit: number): Promise<{ keys: string[]; isComplete: boolean }>;
}

/** What a search of a place may ask for. */
export interface PlaceSearch {
  readonly query?: string;
  readonly filter?: Record<string, Json>;
  readonly limit: number;
  readonly offset: number;
}

const keysPerPage = 200;
const maxPages = 100;

/** The place in a store that is `namespace`. */
export function placeIn(store: HostStore, namespace: readonly string[]): MemoryPlace {
  const home = labelsForHost(store, namespace);
  return {
    get: (key) => store.get([...home], key),
    put: (key, value) => store.put([...home], key, value),
    delete: (key) => store.delete([...home], key),
    async create(key, value) {
      if (isKeepsakeStore(store)) return (await store.compareAndSet(home, key, null, value)) !== null;
      if ((await store.get([...home], key)) !== null) return false;
      await store.put([...home], key, value);
      return true;
    },
    async replace(item, value) {
      if (!isKeepsakeStore(store) || item.version === undefined) {
        await store.put([...home], item.key, value);
        return true;
      }
      return (await store.compareAndSet(home, item.key, item.version, value)) !== null;
    },
    async search(options) {
      const found = isKeepsakeStore(store)
        ? await store.search([...home], options)
        : await searchHost(store, home, options);
      return found.map((item) => ({ ...item, namespace: labelsFromHost(store, item.namespace) }));
    },
    async keys(limit) {
      const keys: string[] = [];
      for await (const { items, isLast } of pagesOf(store, home, {}, keysPerPage)) {
        keys.push(...items.filter((item) => item.namespace.length === home.length).map((item) => item.key));
        if (isLast) return { keys: keys.slice(0, limit), isComplete: keys.length <= limit };
        if (keys.length > limit) break;
      }
      return { keys: keys.slice(0, limit), isComplete: false };
    },
  };
}

/** LangGraph's stores have returned what lies beside a prefix (`u1` and `u10`); whatever does is left out before the offset counts. */
async function searchHost(
  store: HostStore,
  home: readonly string[],
  { limit, offset, ...options }: PlaceSearch,
): Promise<FoundMemory[]> {
  const wanted = offset + limit;
  const found: FoundMemory[] = [];
  for await (const { items } of pagesOf(store, home, options, wanted)) {
    found.push(...items);
    if (found.length >= wanted) break;
  }
  return found.slice(offset, wanted);
}

/** What is under `home`, page by page, {@link maxPages} at most; the last of all says so. */
async function* pagesOf(
  store: HostStore,
  home: readonly string[],
  options: Omit<PlaceSearch, "limit" | "offset">,
  pageSize: number,
): AsyncGenerator<{ items: FoundMemory[]; isLast: boolean }> {
  for (let page = 0; page < maxPages; page += 1) {
    const found = await store.search([...home], { ...options, limit: pageSize, offset: page * pageSize });
    const items = found.filter(({ namespace }) => home.every((label, index) => namespace[index] === label));
    const isLast = found.length < pageSize;
    yield { items, isLast };
    if (isLast) return;
  }
}
