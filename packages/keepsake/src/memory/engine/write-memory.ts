import { KeepsakeError } from "../../errors/index.ts";
import type { Namespace } from "../../store/index.ts";
import type { MemoryValue } from "../types.ts";
import type { EngineCore } from "./core.ts";

/**
 * What of a memory is searched and embedded, with the weights that the store gives these fields: not the times, ids and numbers beside it,
 * which would make two memories less alike than they are.
 */
const indexedFields: readonly string[] = ["content", "name", "date"];

/** Writes a memory where its version is the expected one, `null`: it must not exist. Gives the new version, or null. */
export async function writeMemory(
  { store }: Pick<EngineCore, "store">,
  namespace: Namespace,
  key: string,
  expectedVersion: number | null,
  value: Readonly<Record<string, unknown>> | MemoryValue,
): Promise<number | null> {
  try {
    return await store.compareAndSet(
      namespace,
      key,
      expectedVersion,
      { ...value },
      { index: [...indexedFields] },
    );
  } catch (error) {
    // The item is stored, and found by its words; the store's own documentation says so.
    if (KeepsakeError.isInstance(error) && error.code === "invalid_embedding")
      return (expectedVersion ?? 0) + 1;
    throw error;
  }
}
