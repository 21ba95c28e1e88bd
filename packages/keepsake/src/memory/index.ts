export type { MemoryValue, TurnValue } from "./types.ts";
export { rememberVerbatim, type VerbatimOptions } from "./verbatim/remember-verbatim.ts";
export { turnIndex } from "./verbatim/turn-index.ts";
