import { hash128 } from "../util/index.ts";

/**
 * The id of a delivery, 32 hex digits: derived from its parts, so that another process that makes the same delivery gives it the same
 * id; random where a part is unknown.
 */
export function deliveryIdOf(parts: readonly (string | number | undefined)[]): string {
  return parts.includes(undefined) ? randomId() : hash128(JSON.stringify(parts));
}

let sequence = 0;

function randomId(): string {
  const { crypto } = globalThis;
  if (typeof crypto?.randomUUID === "function") return crypto.randomUUID().replaceAll("-", "");
  // Browsers have it on secure pages only.
  sequence += 1;
  return hash128([Date.now(), sequence, Math.random(), Math.random()].join());
}
