import assert from "node:assert/strict";
import { type ErrorCode, KeepsakeError } from "../../errors/index.ts";
import type { IndexConfig, Item, SearchOptions, Store } from "../../store/index.ts";
import type { Awaitable, Logger } from "../../util/index.ts";
import type { ContractRow } from "../contract.ts";
import type { ContractJob, ContractProcess } from "./jobs.ts";

/** What the rows of the store contract are given. */
export interface StoreContractContext {
  /** A new, empty store that takes the time from `now`. */
  createStore(config?: StoreContractConfig): Awaitable<Store>;
  /** Another store over the data of the last one that was created; for the capability `reopening`. */
  openAgain?(config?: StoreContractConfig): Awaitable<Store>;
  /** Starts a process that will open the data of the last store and call `runContractJob`; for the capability `processes`. */
  startProcess?(job: ContractJob): Awaitable<ContractProcess>;
}

/** What a row wants of a store. */
export interface StoreContractConfig {
  index?: IndexConfig;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  /** Where warnings go; rows that provoke them are quiet. */
  logger?: Logger;
}

/** A row of the store contract. */
export type StoreContractRow = ContractRow<
  StoreContractContext,
  "keyword" | "vector" | "ttl" | "atomicBatch" | "reopening" | "processes"
>;

/** A clock that stands still until it is moved. */
export interface Clock {
  time: number;
  now(): number;
}

/** A {@link Clock} that starts at 1 000 000 ms and moves by one with every reading. */
export function tickingClock(): Clock {
  const clock = {
    time: 1_000_000,
    now: () => {
      clock.time += 1;
      return clock.time;
    },
  };
  return clock;
}

/** Awaits a rejection with one of the codes. */
export async function rejectsWith(promise: Promise<unknown>, ...codes: ErrorCode[]): Promise<KeepsakeError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(KeepsakeError.isInstance(error), `expected a KeepsakeError, got ${String(error)}`);
    assert.ok(
      codes.includes(error.code),
      `expected ${codes.join(" or ")}, got ${error.code}: ${error.message}`,
    );
    assert.ok(error.message.length > 20, `the message does not help: ${error.message}`);
    return error;
  }
  return assert.fail(`expected a rejection with ${codes.join(" or ")}`);
}

/** The keys that a search finds, in order. */
export async function keysFound(store: Store, prefix: string[], options?: SearchOptions): Promise<string[]> {
  return (await store.search(prefix, options)).map(({ key }) => key);
}

/** The places of items as texts, sorted, for comparing sets. */
export function places(items: readonly Item[]): string[] {
  return items.map(({ namespace, key }) => JSON.stringify([...namespace, key])).sort();
}
