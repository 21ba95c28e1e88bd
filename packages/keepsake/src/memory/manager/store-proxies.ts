import { KeepsakeError } from "../../errors/index.ts";
import { type FoundMemory, placeIn, type StoredMemory } from "../../store/index.ts";
import type { Json } from "../../util/index.ts";
import { defaultKey } from "./default-memory.ts";
import { readStored } from "./existing.ts";
import { type ManagerConfig, openRun } from "./open-run.ts";
import type { StoreManagerParts } from "./store-run.ts";
import { overwrite, removeNow } from "./write.ts";

/** What {@link MemoryStoreManager.search} looks for. */
export interface MemoryQuery {
  readonly query?: string;
  readonly filter?: Record<string, Json>;
  /** Default 10. */
  readonly limit?: number;
  readonly offset?: number;
}

/** The functions of a manager that work on its store without a model. */
export interface StoreProxies {
  get(key: string, config?: ManagerConfig): Promise<StoredMemory | null>;
  search(query: MemoryQuery, config?: ManagerConfig): Promise<FoundMemory[]>;
  put(key: string, value: Record<string, unknown>, config?: ManagerConfig): Promise<void>;
  delete(key: string, config?: ManagerConfig): Promise<void>;
}

/** The proxies of a manager. */
export function storeProxies(parts: StoreManagerParts): StoreProxies {
  const open = (config: ManagerConfig = {}) => openRun("createMemoryStoreManager", parts, config);
  const { now } = parts.settings;
  return {
    async get(key, config = {}) {
      const { store, namespace } = open(config);
      const item = await placeIn(store, namespace).get(key);
      if (item !== null) return { ...item, namespace };
      const begun = key === defaultKey ? await parts.makeDefault?.(config) : undefined;
      const at = new Date(now());
      return begun === undefined
        ? null
        : { namespace, key, value: { ...begun }, createdAt: at, updatedAt: at };
    },
    async search({ limit = 10, offset = 0, query, filter }, config) {
      const { store, namespace } = open(config);
      return placeIn(store, namespace).search({
        ...{ limit, offset },
        ...(query === undefined || query.trim() === "" ? {} : { query }),
        ...(filter === undefined ? {} : { filter }),
      });
    },
    async put(key, value, config) {
      const { store, namespace } = open(config);
      await overwrite({ store, namespace, key, now }, await checkedValue(value, parts));
    },
    async delete(key, config) {
      const { store, namespace } = open(config);
      await removeNow({ store, namespace, key, now });
    },
  };
}

/** Content that a schema describes is stored as the schema gives it, with its defaults. */
async function checkedValue(
  value: Record<string, unknown>,
  { settings }: StoreManagerParts,
): Promise<Record<string, unknown>> {
  const { kind, content } = readStored(value);
  const schema = settings.schemas.find(({ name }) => name === kind);
  if (schema === undefined) return value;
  const checked = await schema.check(content);
  if ("content" in checked) return { ...value, content: checked.content };
  throw new KeepsakeError(
    "invalid_value",
    `The value is no ${schema.name}: ${checked.problems.join("; ")}. Nothing was written.`,
    { data: { kind: schema.name, problems: checked.problems } },
  );
}
