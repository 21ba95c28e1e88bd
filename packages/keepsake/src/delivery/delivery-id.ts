import { hash128 } from "../util/index.ts";

/**
 * The id of a delivery, 32 hex digits: derived from its parts, so that another process that makes the same delivery gives it the same
 * id; random where a part is unknown.
 */
export function deliveryIdOf(parts: readonly (string | number | undefined)[]): string {
  return hash128(parts.includes(undefined) ? randomText() : JSON.stringify(parts));
}

function randomText(): string {
  // Browsers have randomUUID on secure pages only.
  return globalThis.crypto?.randomUUID?.() ?? `${Date.now()} ${Math.random()}`;
}
