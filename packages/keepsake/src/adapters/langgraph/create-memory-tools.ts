import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { KeepsakeError } from "../../errors/index.ts";
import { underlyingStore } from "../../store/index.ts";
import {
  type ManageMemoryArguments,
  type ManageMemoryOptions,
  type MemoryTool,
  manageMemoryTool,
  type SearchMemoryArguments,
  type SearchMemoryOptions,
  type SearchMemoryTool,
  searchMemoryTool,
  type ToolOptions,
} from "../../tools/index.ts";
import { LangChainMemoryTool } from "./memory-tool.ts";

/** How {@link createSearchMemoryTool} is made. */
export interface CreateSearchMemoryToolOptions extends SearchMemoryOptions {
  /** `"content_and_artifact"` puts the found items, whole, beside the text for the model. Default `"content"`. */
  readonly responseFormat?: "content" | "content_and_artifact";
}

/**
 * The tool with which an agent writes, corrects and deletes its memories, for LangChain and LangGraph. Without `store` it uses that of
 * the graph, entrypoint or agent that runs it.
 *
 * @throws {KeepsakeError} invalid_config
 * @example
 * ```ts
 * const tools = [createManageMemoryTool({ namespace: ["memories", "{langgraph_user_id}"] })];
 * const agent = createAgent({ model, tools, store });
 * ```
 */
export function createManageMemoryTool(
  options: ManageMemoryOptions,
): LangChainMemoryTool<ManageMemoryArguments> {
  return manageTool(manageMemoryTool(withJsonSchema(withUnderlyingStore(options))));
}

/**
 * The tool with which an agent searches its memories, for LangChain and LangGraph.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function createSearchMemoryTool(
  options: CreateSearchMemoryToolOptions,
): LangChainMemoryTool<SearchMemoryArguments> {
  const { responseFormat = "content", ...others } = options;
  if (responseFormat !== "content" && responseFormat !== "content_and_artifact") {
    throw new KeepsakeError(
      "invalid_config",
      `The tool search_memory: responseFormat must be "content" or "content_and_artifact", not ${JSON.stringify(responseFormat)}.`,
    );
  }
  return searchTool(searchMemoryTool(withUnderlyingStore(others)), responseFormat);
}

/** A manage tool for LangChain. */
export function manageTool(definition: MemoryTool): LangChainMemoryTool<ManageMemoryArguments> {
  const { execute: carry } = definition;
  return new LangChainMemoryTool({ definition, carry, responseFormat: "content", standIn: {} });
}

/** A search tool for LangChain. */
export function searchTool(
  definition: SearchMemoryTool,
  responseFormat: "content" | "content_and_artifact" = "content",
): LangChainMemoryTool<SearchMemoryArguments> {
  return new LangChainMemoryTool({
    definition,
    responseFormat,
    standIn: { query: "" },
    async carry(args, run) {
      const { content, items } = await definition.find(args, run);
      return responseFormat === "content" ? content : [content, items];
    },
  });
}

/** A tool that is made inside a graph may be given the graph's wrapper. */
function withUnderlyingStore<Options extends ToolOptions>(options: Options): Options {
  return options.store === undefined ? options : { ...options, store: underlyingStore(options.store) };
}

/** Versions of zod that cannot give a JSON schema themselves are helped by LangChain. */
function withJsonSchema(options: ManageMemoryOptions): ManageMemoryOptions {
  const { schema } = options;
  if (!isInteropZodSchema(schema) || !("~standard" in schema)) return options;
  const standard = Object(schema["~standard"]);
  if (standard.jsonSchema !== undefined) return options;
  const jsonSchema = { input: () => toJsonSchema(schema, { io: "input" }) };
  const validate = (value: unknown): unknown => standard.validate(value);
  return { ...options, schema: { "~standard": { validate, jsonSchema } } };
}
