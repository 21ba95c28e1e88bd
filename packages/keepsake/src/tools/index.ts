// What is exported here is public API as `keepsake/tools`.
export type { ContentSchemaInput, JsonSchema, StandardSchemaLike } from "../schema/index.ts";
export { type ManageMemoryOptions, manageMemoryTool } from "./manage-memory.ts";
export { type SearchMemoryOptions, searchMemoryTool } from "./search-memory.ts";
export type { ToolOptions } from "./settings.ts";
export type {
  EngineMemory,
  EnginePage,
  FoundMemories,
  FoundMemory,
  ManageMemoryArguments,
  MemoryAction,
  MemoryTool,
  SearchMemoryArguments,
  SearchMemoryTool,
  StoredMemory,
  ToolEngine,
  ToolLogger,
  ToolRun,
  ToolStore,
} from "./types.ts";
