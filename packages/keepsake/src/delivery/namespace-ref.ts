import { canonicalJson, isObject } from "../util/index.ts";
import type { Scope } from "./types.ts";

/** A namespace as it was when a delivery was made. */
export interface NamespaceRef<N> {
  /** Equal for equal namespaces of this process. */
  readonly key: string;
  /** True where other processes come to the same key. */
  readonly stable: boolean;
  /** The app's own value; where the app has changed it since, a copy of what it was. */
  read(): N;
}

/**
 * Keys a namespace by its canonical JSON, and one that has none by its identity.
 *
 * An app that reuses one array for all its users would otherwise get a delivery that waits handed over under the next user's name.
 */
export function namespaceRef<N>(namespace: N): NamespaceRef<N> {
  const json = canonicalJson(namespace);
  if (json === undefined) {
    const stable = !hasIdentity(namespace);
    const key = stable ? `=${typeof namespace}:${String(namespace)}` : identityKey(namespace);
    return { key, stable, read: () => namespace };
  }
  return {
    key: json,
    stable: true,
    read: () => (canonicalJson(namespace) === json ? namespace : JSON.parse(json)),
  };
}

/** Whose messages a delivery holds: the key that the ledger goes by, and what the hook is told. */
export interface ScopeRef<N> {
  readonly key: string;
  readonly namespace: NamespaceRef<N | null>;
  readonly threadId: string | undefined;
}

/** Keys a scope by its namespace and thread. */
export function scopeRef<N>({ namespace, threadId }: Scope<N>): ScopeRef<N> {
  const ref = namespaceRef(namespace);
  return { key: JSON.stringify([ref.key, threadId]), namespace: ref, threadId };
}

/** True for what two variables can hold the same one of; registered symbols are equal by name instead. */
function hasIdentity(value: unknown): value is WeakKey {
  if (typeof value === "symbol") return Symbol.keyFor(value) === undefined;
  return typeof value === "function" || isObject(value);
}

const identityKeys = new WeakMap<WeakKey, string>();
let identities = 0;

function identityKey(value: WeakKey): string {
  const known = identityKeys.get(value);
  if (known !== undefined) return known;
  identities += 1;
  const key = `#${identities}`;
  try {
    identityKeys.set(value, key);
  } catch {
    // A runtime without symbols as weak keys: the next delivery under this symbol counts as another namespace.
  }
  return key;
}
