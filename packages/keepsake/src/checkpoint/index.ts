export { applyReducer, type ReducibleCheckpoint } from "./apply-reducer.ts";
export { conversationOf, memoryNamespace, type RunConfig } from "./memory-namespace.ts";
export { type PendingTuple, withoutVainRemovals } from "./pending-removals.ts";
