import { type Namespace, reservedRoot, type Store } from "../../store/index.ts";
import { canonicalJson, hash128, isRecord } from "../../util/index.ts";
import { deleteVersion } from "../engine/delete-version.ts";
import type { TurnValue } from "../types.ts";
import type { StoredTurn } from "./conversation.ts";
import { reach } from "./surroundings.ts";

/** The turns of one thread in a store. */
export interface TurnLog {
  /** The turns that are stored under these keys. */
  find(keys: readonly string[]): Promise<Map<string, StoredTurn>>;
  /** Takes the next positions for new turns. */
  claim(keys: readonly string[]): Promise<Claim>;
  /** Writes turns, in one transaction where the store has them. */
  write(turns: readonly StoredTurn[], index: false | string[] | undefined): Promise<void>;
  /** Removes turns that were written while everything was erased, and what the thread ends with because of them. */
  takeBack(turns: readonly StoredTurn[]): Promise<void>;
}

/** Positions taken for new turns. */
export interface Claim {
  /** The first of them. */
  readonly first: number;
  /** Keys of the last turns before them, in order. */
  readonly last: readonly string[];
}

/**
 * Reads and writes the turns of one thread. Where the thread ends is kept under the reserved root, which searches and listings do not see,
 * and is moved on by compare-and-set: positions are taken once, whichever process takes them, and cost the same however many turns there are.
 */
export function turnLog(store: Store, namespace: Namespace, threadId: string | undefined): TurnLog {
  const endNamespace = [reservedRoot, "turns", ...namespace];
  const endKey = hash128(JSON.stringify(threadId ?? null));
  return {
    find: async (keys) => {
      if (keys.length === 0) return new Map();
      const items = await store.batch(keys.map((key) => ({ namespace: [...namespace], key })));
      const turns = items.map(turnIn).filter((turn) => turn !== undefined);
      return new Map(turns.map((turn) => [turn.key, turn]));
    },
    claim: async (keys) => {
      for (;;) {
        const item = await store.get(endNamespace, endKey);
        const end = endIn(item?.value);
        const moved = { next: end.next + keys.length, last: [...end.last, ...keys].slice(-reach) };
        const version = await store.compareAndSet(endNamespace, endKey, item?.version ?? null, moved);
        if (version !== null) return { first: end.next, last: end.last };
      }
    },
    write: async (turns, index) => {
      await store.batch(
        turns.map(({ key, value }) => ({
          namespace: [...namespace],
          key,
          value,
          ...(index === undefined ? {} : { index }),
        })),
      );
    },
    takeBack: async (turns) => {
      const written = new Map(turns.map(({ key, value }) => [key, canonicalJson(value)]));
      const remove = async ([key, json]: readonly [string, string | undefined]): Promise<void> => {
        const item = await store.get(namespace, key);
        if (item !== null && canonicalJson(item.value) === json) await deleteVersion(store, item);
      };
      await Promise.all([...written].map(remove));
      const end = await store.get(endNamespace, endKey);
      const isOurs = written.has(endIn(end?.value).last.at(-1) ?? "");
      if (end !== null && isOurs) await deleteVersion(store, end);
    },
  };
}

/** Where a thread ends: the next free position, and the keys of its last turns. */
function endIn(value: unknown): { next: number; last: readonly string[] } {
  if (!isRecord(value) || typeof value.next !== "number" || !Array.isArray(value.last))
    return { next: 0, last: [] };
  return { next: value.next, last: value.last.map(String) };
}

function turnIn(item: unknown): StoredTurn | undefined {
  if (!isRecord(item) || typeof item.key !== "string" || !isTurn(item.value)) return undefined;
  return { key: item.key, value: item.value };
}

function isTurn(value: unknown): value is TurnValue {
  return (
    isRecord(value) &&
    value.kind === "turn" &&
    typeof value.content === "string" &&
    Number.isSafeInteger(value.position)
  );
}
