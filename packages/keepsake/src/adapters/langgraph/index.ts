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
export type { LangChainMemoryTool } from "./memory-tool.ts";
export { type MessagesReducerOptions, type MessagesUpdate, messagesReducer } from "./messages-reducer.ts";
export { type AnySaver, ReducingSaver, type ReducingSaverOptions } from "./reducing-saver.ts";
