import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import pg from "pg";
import type { Embed, IndexConfig, Store } from "../../src/store/index.ts";
import type { ContractSubject, StoreContractContext } from "../../src/testing/index.ts";
import { adaptLangGraph } from "./langgraph-adapter.ts";

/** Rows about what LangGraph's interface does not have, by their ids or the beginnings of these. */
const notOffered: readonly (readonly [start: string, reason: string])[] = [
  ["items/compare-and-set", "no compare-and-set"],
  ["items/touch", "no touch"],
  ["items/version", "no versions"],
  ["items/times", "takes no clock"],
  ["items/order-without-query", "takes no clock"],
  ["search/ties", "takes no clock"],
  ["items/closed", "no close"],
  ["items/unused", "no close"],
  ["items/abort", "no abort signals"],
  ["abort/", "no abort signals"],
  ["namespaces/reserved", "no reserved root"],
  ["search/index-of-one-item", "no reindex"],
  ["search/vector-mode", "other modes"],
  ["many/linear-analysis", "no analyser of its own"],
  ["vectors/meaning", "no comparable signals"],
  ["vectors/modes", "other modes"],
  ["vectors/ties", "takes no clock"],
  ["vectors/no-traces", "no touch"],
  ["vectors/another-model", "no reindex"],
  ["vectors/once", "wants to know the dimensions first"],
  ["search/share", "no comparable signals"],
];

/** Why a row is not asked of LangGraph's stores, or `undefined` where it is. */
export function whyNotOffered(id: string): string | undefined {
  return notOffered.find(([start]) => id.startsWith(start))?.[1];
}

/** LangGraph's store in memory; it searches by vectors only. */
export function langGraphMemorySubject(): ContractSubject<StoreContractContext> {
  return {
    capabilities: { vector: true },
    setUp: () => ({
      createStore: async ({ index } = {}) => {
        const config = await vectorConfig(index);
        const store = new InMemoryStore(config === undefined ? {} : { index: config as never });
        return adaptLangGraph(store, { keyword: false, vector: true });
      },
    }),
  };
}

interface PostgresContext extends StoreContractContext {
  readonly stores: Store[];
  readonly schemas: string[];
}

/** LangGraph's store in Postgres; it searches texts by `tsvector`, and by vectors where it was given an embedder. */
export function langGraphPostgresSubject(
  connectionString: string,
  capabilities: { keyword: boolean; vector: boolean },
): ContractSubject<PostgresContext> {
  return {
    capabilities: { ...capabilities },
    setUp: () => {
      const stores: Store[] = [];
      const schemas: string[] = [];
      return {
        stores,
        schemas,
        createStore: async ({ index } = {}) => {
          const schema = `lg_${Math.random().toString(36).slice(2)}`;
          const config = await vectorConfig(index);
          const inner = new PostgresStore({
            connectionOptions: connectionString,
            schema,
            ...(config === undefined
              ? {}
              : { index: { dims: config.dims, embed: config.embeddings as never, fields: config.fields } }),
          });
          schemas.push(schema);
          await inner.setup();
          const store = adaptLangGraph(inner, capabilities, () => inner.stop());
          stores.push(store);
          return store;
        },
      };
    },
    tearDown: async ({ stores, schemas }) => {
      await Promise.all(stores.map((store) => store.close()));
      const client = new pg.Client({ connectionString });
      await client.connect();
      for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** LangGraph wants the dimensions before the first vector, and its embedders to be objects. */
async function vectorConfig(index: IndexConfig | undefined) {
  const given = index?.embed ?? index?.embeddings;
  if (given === undefined || typeof given === "string") return undefined;
  const embeddings = embeddingsOf(given);
  const dims = index?.dims ?? (await embeddings.embedQuery("dimensions")).length;
  const fields = Array.isArray(index?.fields) ? index.fields : Object.keys(index?.fields ?? { $: 1 });
  return { dims, embeddings, fields };
}

function embeddingsOf(embed: Embed) {
  if (typeof embed !== "function" && "embedDocuments" in embed) return embed;
  const embedAll = async (texts: string[]): Promise<number[][]> =>
    typeof embed === "function" ? embed(texts) : [...(await embed.doEmbed({ values: texts })).embeddings];
  return {
    embedDocuments: embedAll,
    embedQuery: async (text: string) => (await embedAll([text]))[0] ?? [],
  };
}
