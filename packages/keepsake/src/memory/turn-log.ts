import type { Filter, Namespace, Store } from "../store/index.ts";
import { isRecord } from "../util/index.ts";
import type { Span, StoredTurn } from "./conversation.ts";
import type { TurnValue } from "./types.ts";

/** The turns of one thread in a store. */
export interface TurnLog {
  /** The turns stored under these keys. */
  find(keys: readonly string[]): Promise<Map<string, StoredTurn>>;
  /** One more than the highest position. */
  nextPosition(): Promise<number>;
  /** The turns at these positions. */
  read(span: Span): Promise<StoredTurn[]>;
  /** Writes all of them, in one transaction where the store has them. */
  write(turns: readonly StoredTurn[], index: false | string[] | undefined): Promise<void>;
}

/** Newest turns looked at first: the last one is among them, unless older ones were delivered again since. */
const recentTurns = 20;
const pageSize = 200;

/** Reads and writes the turns of one thread: those of exactly this namespace and thread. */
export function turnLog(store: Store, namespace: Namespace, threadId: string | undefined): TurnLog {
  const mine: Filter = { kind: "turn", ...(threadId === undefined ? {} : { threadId }) };
  const own = (items: readonly unknown[]): StoredTurn[] =>
    items.flatMap((item) => {
      const turn = turnIn(item, namespace.length);
      return turn === undefined || turn.value.threadId !== threadId ? [] : [turn];
    });

  async function all(position: Filter[string]): Promise<StoredTurn[]> {
    const turns: StoredTurn[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const page = await store.search(namespace, { filter: { ...mine, position }, limit: pageSize, offset });
      turns.push(...own(page));
      if (page.length < pageSize) return turns;
    }
  }

  return {
    find: async (keys) => {
      const items = await store.batch(keys.map((key) => ({ namespace: [...namespace], key })));
      return new Map(own(items).map((turn) => [turn.key, turn]));
    },
    nextPosition: async () => {
      const recent = own(await store.search(namespace, { filter: mine, limit: recentTurns }));
      const floor = highest(recent, -1);
      return highest(await all({ $gt: floor }), floor) + 1;
    },
    read: ({ first, last }) => all({ $gte: first, $lte: last }),
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
  };
}

function highest(turns: readonly StoredTurn[], least: number): number {
  return turns.reduce((most, { value }) => Math.max(most, value.position), least);
}

/** The turn that an item holds. Items of namespaces below the one searched, which a search finds too, are deeper. */
function turnIn(item: unknown, depth: number): StoredTurn | undefined {
  if (!isRecord(item) || typeof item.key !== "string" || !Array.isArray(item.namespace)) return undefined;
  return item.namespace.length === depth && isTurn(item.value)
    ? { key: item.key, value: item.value }
    : undefined;
}

function isTurn(value: unknown): value is TurnValue {
  return (
    isRecord(value) &&
    value.kind === "turn" &&
    typeof value.content === "string" &&
    Number.isSafeInteger(value.position)
  );
}
