export { applyReducer, type ReducibleCheckpoint, reduceCheckpoint } from "./apply-reducer.ts";
export { conversationOf, memoryNamespace, type RunConfig } from "./memory-namespace.ts";
export { type PendingTuple, withoutVainWrites } from "./pending-writes.ts";
export { withNote } from "./pruned-note.ts";
