import { readLangChain } from "./langchain.ts";
import { readPlain } from "./plain.ts";
import type { Reading } from "./reading.ts";

/** Reads one message: an envelope is told by its shape, anything else with `role` or `type` is plain. */
export function readMessage(message: Readonly<Record<string, unknown>>): Reading {
  return readLangChain(message) ?? readPlain(message);
}
