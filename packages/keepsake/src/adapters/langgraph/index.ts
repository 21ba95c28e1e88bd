// What is exported here is public API as `keepsake/langgraph`.
export type { ManageMemoryArguments, ManageMemoryOptions, SearchMemoryArguments } from "../../tools/index.ts";
export {
  type CreateSearchMemoryToolOptions,
  createManageMemoryTool,
  createSearchMemoryTool,
} from "./create-memory-tools.ts";
export type { LangChainMemoryTool } from "./memory-tool.ts";
