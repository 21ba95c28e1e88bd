import { join } from "node:path";
import { InMemoryStore as LangGraphStore } from "@langchain/langgraph-checkpoint";
import { SqliteStore } from "keepsake/sqlite";
import { InMemoryStore } from "keepsake/store";
import { type Setting, vectorIndex } from "./setting.ts";
import { interleaved, type Spread, spent } from "./stopwatch.ts";
import { textSource } from "./texts.ts";
import { wordVectors } from "./word-vectors.ts";

/** Searches in one large namespace with vectors, beside LangGraph's store in memory. */
export interface BesideLangGraph {
  readonly items: number;
  readonly dims: number;
  readonly stores: readonly {
    readonly name: string;
    readonly mode: string;
    readonly putMs: number;
    readonly search: Spread;
    /** p50 by LangGraph's. */
    readonly share: number;
  }[];
}

const rounds = 40;
const batchSize = 500;
const wordsPerItem = 25;
const namespace = ["bench", "big"];

/** What the stores of both have in common. */
interface Searched {
  batch(operations: never): Promise<unknown>;
  search(namespace: string[], options: { query: string; limit: number }): Promise<unknown[]>;
}

export async function measureBesideLangGraph(
  setting: Setting,
  items: number,
  dims: number,
): Promise<BesideLangGraph> {
  const embed = wordVectors(dims);
  const embeddings = {
    embedDocuments: embed,
    embedQuery: async (text: string) => (await embed([text]))[0] ?? [],
  };
  const sqlite = new SqliteStore(join(setting.folder, "big.db"), {
    driver: setting.driver,
    index: vectorIndex(dims),
  });
  const memory = new InMemoryStore({ index: vectorIndex(dims) });
  const stores: Record<string, Searched> = {
    langgraph: new LangGraphStore({ index: { dims, embeddings: embeddings as never, fields: ["content"] } }),
    sqlite,
    memory,
  };
  const putMs: Record<string, number> = {};
  for (const [name, store] of Object.entries(stores)) {
    setting.progress(`${items} items into ${name}`);
    putMs[name] = (await spent(() => fill(store, items))).cpuMs / items;
  }
  setting.progress("searches");
  const queries = textSource();
  const asked = Array.from({ length: rounds + 5 }, () => queries.query());
  const query = (round: number) => ({ query: asked[round] ?? "", limit: 10 });
  const times = await interleaved(
    {
      langgraph: (round) => stores.langgraph?.search(namespace, query(round)) ?? Promise.resolve(),
      sqlite: (round) => sqlite.search(namespace, query(round)),
      "sqlite vector": (round) => sqlite.search(namespace, { ...query(round), mode: "vector" }),
      memory: (round) => memory.search(namespace, query(round)),
    },
    rounds,
  );
  await sqlite.close();
  const row = (name: string, key: keyof typeof times, store: string, mode: string) => ({
    name,
    mode,
    putMs: putMs[store] ?? 0,
    search: times[key].cpu,
    share: times[key].cpu.p50 / times.langgraph.cpu.p50,
  });
  return {
    items,
    dims,
    stores: [
      row("LangGraph InMemoryStore", "langgraph", "langgraph", "vector"),
      row("SqliteStore", "sqlite", "sqlite", "hybrid"),
      row("SqliteStore", "sqlite vector", "sqlite", "vector"),
      row("InMemoryStore", "memory", "memory", "hybrid"),
    ],
  };
}

async function fill(store: Searched, items: number): Promise<void> {
  const source = textSource();
  for (let done = 0; done < items; done += batchSize) {
    const operations = Array.from({ length: batchSize }, (_, n) => ({
      namespace,
      key: `k${done + n}`,
      value: { content: source.text(wordsPerItem) },
    }));
    await store.batch(operations as never);
  }
}
