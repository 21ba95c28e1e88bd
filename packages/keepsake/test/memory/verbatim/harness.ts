import type { HookContext, RememberFn } from "../../../src/delivery/index.ts";
import type { TurnValue } from "../../../src/memory/index.ts";
import type { Store } from "../../../src/store/index.ts";

export const namespace: string[] = ["memories", "asha"];

let deliveries = 0;

/** A delivery's context; each call is another delivery. */
export function delivery(overrides: Partial<HookContext> = {}): HookContext {
  deliveries += 1;
  return {
    deliveryId: `delivery-${deliveries}`,
    attempt: 1,
    threadId: undefined,
    signal: new AbortController().signal,
    ...overrides,
  };
}

/** Hands messages to a hook as one delivery. */
export async function deliver<M>(
  hook: RememberFn<M>,
  messages: readonly M[],
  overrides: Partial<HookContext> = {},
  scope: string[] = namespace,
): Promise<void> {
  await hook([...messages], scope, delivery(overrides));
}

/** The turns of a namespace by position. */
export async function turnsIn(store: Store, scope: string[] = namespace): Promise<TurnValue[]> {
  const items = await store.search(scope, { limit: 10_000 });
  return items
    .map(({ value }) => value as unknown as TurnValue)
    .sort((left, right) => left.position - right.position);
}

/** What a search finds, best first. */
export async function found(store: Store, query: string, scope: string[] = namespace): Promise<unknown[]> {
  const items = await store.search(scope, { query, limit: 5 });
  return items.map(({ value }) => value.content);
}
