// What is exported here is public API as `keepsake/langgraph`.
export {
  applyReducer,
  memoryNamespace,
  type ReducibleCheckpoint,
  type RunConfig,
} from "../../checkpoint/index.ts";
export type { ManageMemoryArguments, ManageMemoryOptions, SearchMemoryArguments } from "../../tools/index.ts";
export {
  type CreateSearchMemoryToolOptions,
  createManageMemoryTool,
  createSearchMemoryTool,
} from "./create-memory-tools.ts";
export {
  type MemoryMiddleware,
  type MemoryMiddlewareOptions,
  type ModelRequestLike,
  memoryMiddleware,
} from "./memory-middleware.ts";
export type { LangChainMemoryTool } from "./memory-tool.ts";
export { type MemoryTools, memoryTools } from "./memory-tools.ts";
export { langchainCodec } from "./message-codec.ts";
export { type MessagesReducerOptions, type MessagesUpdate, messagesReducer } from "./messages-reducer.ts";
export type { RecallEngine, RecallOptions } from "./recall.ts";
export { type RecallNode, type RecallNodeOptions, recallNode } from "./recall-node.ts";
export { type AnySaver, ReducingSaver, type ReducingSaverOptions } from "./reducing-saver.ts";
export type { NamespaceOptions } from "./run-namespace.ts";
