import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { KeepsakeError } from "../../src/errors/index.ts";
import { InMemoryStore, type Item, type SearchItem, type Store } from "../../src/store/index.ts";

const everything = 1_000_000;

/**
 * A store of LangGraph's as the contract sees it. What LangGraph's interface has is passed through; counting and deleting in bulk are done
 * with it, as an app would; what it does not have rejects.
 *
 * A refusal counts as one, whatever its wording and class: it is given the code that keepsake's own store gives for the same call.
 */
export function adaptLangGraph(
  store: BaseStore,
  capabilities: { keyword: boolean; vector: boolean },
  close: () => Promise<void> = async () => undefined,
): Store {
  const absent = (name: string) => async (): Promise<never> => {
    throw new Error(`LangGraph's stores have no ${name}`);
  };
  const search: Store["search"] = (prefix, options) =>
    refusal(started(() => store.search([...prefix], options)) as Promise<SearchItem[]>, (mirror) =>
      mirror.search(prefix, options),
    );
  return {
    capabilities: { ...capabilities, ttl: false, atomicBatch: false },
    start: () => undefined,
    stop: () => undefined,
    batch: (operations: readonly unknown[]) =>
      refusal(
        started(() => store.batch(operations as never)),
        (mirror) => mirror.batch(operations),
      ),
    get: (namespace, key) =>
      refusal(started(() => store.get(namespace as string[], key)) as Promise<Item | null>, (mirror) =>
        mirror.get(namespace, key),
      ),
    put: (namespace, key, value, index, options) =>
      refusal(
        started(() => store.put(namespace as string[], key, value, index)),
        (mirror) => mirror.put(namespace, key, value, index, options),
      ),
    delete: (namespace, key) =>
      refusal(
        started(() => store.delete(namespace as string[], key)),
        (mirror) => mirror.delete(namespace, key),
      ),
    search,
    listNamespaces: (options) =>
      refusal(
        started(() => store.listNamespaces(options)),
        (mirror) => mirror.listNamespaces(options),
      ),
    count: async (prefix, options) => (await search(prefix, { ...options, limit: everything })).length,
    deleteAll: async (prefix, options) => {
      if (Array.isArray(prefix) && prefix.length === 0)
        throw new KeepsakeError("invalid_namespace", "Everything at once: no app would write this.");
      const items = await search(prefix, { ...options, limit: everything });
      for (const { namespace, key } of items) await store.delete(namespace, key);
      return items.length;
    },
    compareAndSet: absent("compareAndSet"),
    reindex: absent("reindex"),
    close,
  };
}

/** LangGraph's stores check some arguments before they return a promise. */
async function started<T>(call: () => Promise<T>): Promise<T> {
  return call();
}

async function refusal<T>(call: Promise<T>, same: (mirror: Store) => Promise<unknown>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const own: unknown = await same(new InMemoryStore()).catch((reason: unknown) => reason);
    if (!KeepsakeError.isInstance(own)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new KeepsakeError(own.code, `LangGraph's store says: ${reason}`, { cause: error });
  }
}
