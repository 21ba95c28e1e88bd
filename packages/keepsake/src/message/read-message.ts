import { readLangChain } from "./langchain.ts";
import { readPlain } from "./plain.ts";
import type { Reading } from "./reading.ts";

/** Reads one message, choosing the reader by shape. */
export type Reader = (message: Readonly<Record<string, unknown>>) => Reading | undefined;

/** In this order: an envelope is told by its shape, anything else with `role` or `type` is plain. */
const readers: readonly Reader[] = [readLangChain, readPlain];

/** The reading of the first reader that knows the shape of `message`. */
export function readMessage(message: Readonly<Record<string, unknown>>): Reading | undefined {
  for (const read of readers) {
    const reading = read(message);
    if (reading !== undefined) return reading;
  }
  return undefined;
}
