import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryStore as LangGraphStore } from "@langchain/langgraph";
import { afterAll } from "vitest";
import { z } from "zod";
import type { ManagerEvent } from "../../../src/memory/manager/memory-manager.ts";
import {
  createMemoryStoreManager,
  type MemoryStoreManagerOptions,
} from "../../../src/memory/manager/store-manager.ts";
import type { ModelRequest } from "../../../src/memory/models/types.ts";
import { type HostStore, InMemoryStore, type Store } from "../../../src/store/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import { quiet, scriptedModel } from "./scripted-model.ts";

export const Profile = z.object({
  name: z.string().optional(),
  age: z.number().nullish(),
  tags: z.array(z.string()).default([]),
});
export const namespace = ["memories", "asha"];
export const config = { configurable: { langgraph_user_id: "asha" } };
const folder = mkdtempSync(join(tmpdir(), "keepsake-manager-"));
const opened: SqliteStore[] = [];
let files = 0;

export const stores: [string, () => HostStore][] = [
  ["SqliteStore", newSqlite],
  ["InMemoryStore", () => new InMemoryStore()],
  ["LangGraph's InMemoryStore", () => new LangGraphStore()],
];
export const keepsakeStores: [string, () => Store][] = [
  ["SqliteStore", newSqlite],
  ["InMemoryStore", () => new InMemoryStore()],
];

function newSqlite(): SqliteStore {
  files += 1;
  const store = new SqliteStore(join(folder, `${files}.db`));
  opened.push(store);
  return store;
}

afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

export function managerOf(
  store: HostStore | undefined,
  replies: unknown[],
  options: MemoryStoreManagerOptions = {},
) {
  const model = scriptedModel(...replies);
  const events: ManagerEvent[] = [];
  const manager = createMemoryStoreManager(model, {
    ...(store === undefined ? {} : { store }),
    logger: quiet,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { manager, model, events, types: () => events.map(({ type }) => type) };
}

/** What is stored, without the marks of the engine. */
export async function valuesIn(store: HostStore, where = namespace): Promise<unknown[]> {
  const items = await store.search([...where], { limit: 100 });
  return items.map(({ value: { change: _change, ...value } }) => value);
}

export const text = (content: string) => ({ kind: "Memory", content: { content } });

/** The label under which a request shows a memory. */
export function labelOf({ prompt }: ModelRequest, part: string): string {
  const line = prompt.split("\n").find((one) => one.startsWith("{") && one.includes(part));
  return String(JSON.parse(line ?? "{}").id);
}

/** Lets answers go when all of them are there, so that the runs work on the same state. */
export function gate(count: number): (answer: unknown) => Promise<unknown> {
  let release = (): void => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  return async (answer) => {
    waiting += 1;
    if (waiting === count) release();
    await all;
    return answer;
  };
}

/** A store whose first write of a text fails. */
export function failingOnce(store: Store, content: string): Store {
  let hasFailed = false;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (name === "compareAndSet" && !hasFailed && Object(args[3]).content?.content === content) {
          hasFailed = true;
          return Promise.reject(new Error("the database is away"));
        }
        return Reflect.apply(member, target, args);
      };
    },
  });
}

/** The queries of each batch of searches. */
export function watchSearches(store: Store): string[][] {
  const batches: string[][] = [];
  const { batch } = store;
  store.batch = async (operations: readonly unknown[]) => {
    const queries = operations.flatMap((operation) => Object(operation).query ?? []);
    if (queries.length > 0) batches.push(queries);
    return Reflect.apply(batch, store, [operations]);
  };
  return batches;
}
