/** Which identities each hook was given, per scope: bounded, so that old ones are forgotten. */
export interface Ledger {
  /** Marks a scope as used, so that others are forgotten first. */
  use(scope: string): void;
  has(scope: string, hook: number, identity: string): boolean;
  claim(scope: string, hook: number, identities: Iterable<string>): void;
  /** Gives claims back, so that the messages count as new again. */
  release(scope: string, hook: number, identities: Iterable<string>): void;
  /** How many identities are remembered, over all scopes and hooks. */
  size(): number;
}

/** Identities remembered over all scopes and hooks, as a multiple of the window. */
const totalWindows = 20;

/** Scopes remembered. */
const maxScopes = 10_000;

/**
 * Remembers `window` identities per hook and scope, oldest forgotten first; over all of them at most 20 × `window` in 10 000 scopes,
 * least recently used scope forgotten first.
 */
export function createLedger(window: number): Ledger {
  const scopes = new Map<string, Map<number, Set<string>>>();
  let total = 0;

  function forget(claimed: Set<string>, identity: string): void {
    if (claimed.delete(identity)) total -= 1;
  }

  function forgetOldest(claimed: Set<string>): void {
    for (const identity of claimed) {
      if (claimed.size <= window) return;
      forget(claimed, identity);
    }
  }

  function forgetScopes(current: string): void {
    for (const [scope, hooks] of scopes) {
      if ((total <= totalWindows * window && scopes.size <= maxScopes) || scope === current) return;
      for (const claimed of hooks.values()) total -= claimed.size;
      scopes.delete(scope);
    }
  }

  function use(scope: string): void {
    const hooks = scopes.get(scope);
    if (hooks === undefined) return;
    scopes.delete(scope);
    scopes.set(scope, hooks);
  }

  return {
    use,
    has: (scope, hook, identity) => scopes.get(scope)?.get(hook)?.has(identity) ?? false,
    claim(scope, hook, identities) {
      const hooks = scopes.get(scope) ?? new Map<number, Set<string>>();
      const claimed = hooks.get(hook) ?? new Set<string>();
      const before = claimed.size;
      for (const identity of identities) claimed.add(identity);
      total += claimed.size - before;
      if (claimed.size === 0) return;
      scopes.set(scope, hooks.set(hook, claimed));
      forgetOldest(claimed);
      use(scope);
      forgetScopes(scope);
    },
    release(scope, hook, identities) {
      const claimed = scopes.get(scope)?.get(hook);
      if (claimed === undefined) return;
      for (const identity of identities) forget(claimed, identity);
    },
    size: () => total,
  };
}
