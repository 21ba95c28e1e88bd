import { type MemoryPlace, type PlaceSearch, placeIn } from "../store/index.ts";
import type { EngineMemory, EnginePage, FoundMemory, StoredMemory, ToolEngine, ToolStore } from "./types.ts";

/** What the tools do in one namespace, of a store or of an engine. */
export interface ToolPlace extends Pick<MemoryPlace, "get" | "keys" | "search" | "delete"> {
  /** Writes a memory and gives its id, or that of one that says the same already; `undefined` where the content says nothing. */
  create(content: unknown): Promise<string | undefined>;
  /** Replaces the content of a memory that was read before; false where it has changed or gone since. */
  rewrite(memory: StoredMemory, content: unknown): Promise<boolean>;
}

/** The place in a store that is `namespace`. */
export function placeInStore(store: ToolStore, namespace: readonly string[]): ToolPlace {
  const place = placeIn(store, namespace);
  return {
    ...place,
    async create(content) {
      const id = crypto.randomUUID();
      await place.put(id, { content });
      return id;
    },
    // What others keep beside the content (kind, categories, created_at) stays.
    rewrite: (memory, content) => place.replace(memory, { ...memory.value, content }),
  };
}

/** The place in an engine that is `namespace`. Private memories are not in it. */
export function placeInEngine(engine: ToolEngine, given: readonly string[]): ToolPlace {
  const namespace = [...given];
  const why = "a memory tool";
  return {
    async get(key) {
      const memory = await engine.get(namespace, key);
      return memory === null || memory.private ? null : itemOf(memory);
    },
    async keys(limit) {
      const memories = await newestShown(engine, namespace, { limit: limit + 1 });
      return { keys: memories.slice(0, limit).map(({ key }) => key), isComplete: memories.length <= limit };
    },
    async search({ query, limit, offset, ...options }: PlaceSearch) {
      if (query === undefined) {
        const memories = await newestShown(engine, namespace, { ...options, limit: offset + limit });
        return memories.slice(offset).map(itemOf);
      }
      const matches = await engine.recall(query, namespace, { ...options, limit: offset + limit });
      return matches.slice(offset).map(({ record, score }) => ({ ...itemOf(record), score }));
    },
    async create(content) {
      const text = textOf(content);
      const [memory] = await engine.remember(text, namespace, { extract: false });
      return memory?.key ?? sameIn(await engine.recall(text, namespace, { limit: 10 }), text);
    },
    async rewrite(memory, content) {
      return (await engine.update(namespace, memory.key, textOf(content), { reason: why })) !== null;
    },
    async delete(key) {
      await engine.forget(namespace, { key, reason: why });
    },
  };
}

/** The newest memories that are not private, however many private ones stand between them. */
async function newestShown(
  engine: ToolEngine,
  namespace: string[],
  { limit, ...options }: EnginePage,
): Promise<EngineMemory[]> {
  for (let most = limit; ; most *= 2) {
    const memories = await engine.list(namespace, { ...options, limit: most });
    const shown = memories.filter((memory) => !memory.private);
    if (shown.length >= limit || memories.length < most) return shown.slice(0, limit);
  }
}

/** A memory as the tools show it. */
function itemOf(memory: EngineMemory): FoundMemory {
  const { namespace, key, createdAt, updatedAt, kind, content, role, name, at, eventDate, categories } =
    memory;
  const value = { kind, content, role, name, at: at?.toISOString(), eventDate };
  const shown = categories.length > 0 ? { ...value, categories } : value;
  const entries = Object.entries(shown).filter(([, field]) => field !== undefined);
  return { namespace: [...namespace], key, value: Object.fromEntries(entries), createdAt, updatedAt };
}

/** The key of the memory that an engine did not write a second time. */
function sameIn(matches: readonly { readonly record: EngineMemory }[], text: string): string | undefined {
  return matches.find(({ record }) => wordsOf(textOf(record.content)) === wordsOf(text))?.record.key;
}

function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
