import type { HookContext } from "./types.ts";

/** Marks a hook that takes a delivery only for good: what it could not commit stays in the window. */
export const durability: unique symbol = Symbol.for("keepsake.durability") as never;

/** The identities of a delivery's messages, scope included, for hooks that claim them beyond this process. */
export const identities: unique symbol = Symbol.for("keepsake.identities") as never;

/** The context of a durable hook. */
export interface DurableContext extends HookContext {
  readonly [identities]?: readonly (string | undefined)[];
}

/** What a durable hook can do beyond being called. */
export interface Durability {
  /** Commits before it returns; throws where it cannot. `undefined`: its outbox has no synchronous commit. */
  readonly commitSync: ((pruned: never[], namespace: never, context: DurableContext) => void) | undefined;
  /** Why a message cannot be kept in the outbox; `undefined` where it can. */
  problemOf(message: never): unknown;
}

/** The durability of a hook; `undefined` where it is not a durable one. */
export function durabilityOf(hook: unknown): Durability | undefined {
  // Only `durable` writes under this key.
  return Object(hook)[durability] as Durability | undefined;
}
