import { checkKey } from "../store/index.ts";
import type { ToolPlace } from "./tool-place.ts";
import type { StoredMemory } from "./types.ts";

/** The one memory that an id means, or why there is none. */
export type MemoryById =
  | { readonly memory: StoredMemory }
  | {
      readonly problem: "ambiguous" | "unknown";
      readonly ids: readonly string[];
      readonly isComplete: boolean;
    };

/** A beginning shorter than this is taken for a made-up id (`42`), not for a shortened one. */
const shortestPrefix = 4;
const maxIds = 10_000;

/** Finds the memory with this id, or else the only one whose id begins with it. */
export async function findMemory(place: Pick<ToolPlace, "get" | "keys">, id: string): Promise<MemoryById> {
  const spellings = [...new Set([id, id.trim(), canonicalUuid(id)])].filter(isKey);
  for (const spelling of spellings) {
    const memory = await place.get(spelling);
    if (memory !== null) return { memory };
  }
  const { keys, isComplete } = await place.keys(maxIds);
  const beginnings = spellings.filter((spelling) => spelling.length >= shortestPrefix);
  const matching = keys.filter((key) => beginnings.some((beginning) => key.startsWith(beginning)));
  const [only] = matching;
  if (matching.length > 1) return { problem: "ambiguous", ids: matching, isComplete };
  const memory = only !== undefined && isComplete ? await place.get(only) : null;
  return memory === null ? { problem: "unknown", ids: keys, isComplete } : { memory };
}

/** UUIDs are written in lower case with dashes, whichever way the model copied them. */
function canonicalUuid(id: string): string {
  const text = id.trim().toLowerCase();
  if (!/^[0-9a-f-]+$/.test(text)) return id;
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(text.replaceAll("-", ""));
  return parts === null ? text : parts.slice(1).join("-");
}

function isKey(text: string): boolean {
  try {
    checkKey(text);
    return true;
  } catch {
    return false;
  }
}
