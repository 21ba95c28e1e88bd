// What is exported here is public API as `keepsake/tools`.
export type { ContentSchemaInput, StandardSchemaLike } from "./content-schema.ts";
export { type ManageMemoryOptions, manageMemoryTool } from "./manage-memory.ts";
export { type SearchMemoryOptions, searchMemoryTool } from "./search-memory.ts";
export type { ToolOptions } from "./settings.ts";
export type {
  FoundMemories,
  FoundMemory,
  JsonSchema,
  ManageMemoryArguments,
  MemoryAction,
  MemoryTool,
  SearchMemoryArguments,
  SearchMemoryTool,
  StoredMemory,
  ToolLogger,
  ToolRun,
  ToolStore,
} from "./types.ts";
