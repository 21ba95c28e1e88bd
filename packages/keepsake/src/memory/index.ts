export { rememberVerbatim, type VerbatimOptions } from "./remember-verbatim.ts";
export { turnIndex } from "./turn-index.ts";
export type { MemoryValue, TurnValue } from "./types.ts";
