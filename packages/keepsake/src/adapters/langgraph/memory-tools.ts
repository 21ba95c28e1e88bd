import { underlyingStore } from "../../store/index.ts";
import {
  type ManageMemoryArguments,
  manageMemoryTool,
  type SearchMemoryArguments,
  searchMemoryTool,
  type ToolEngine,
  type ToolRun,
  type ToolStore,
} from "../../tools/index.ts";
import { checkOptions } from "../../util/index.ts";
import { manageTool, searchTool } from "./create-memory-tools.ts";
import type { LangChainMemoryTool } from "./memory-tool.ts";
import { type NamespaceOptions, namespaceKinds, runNamespace } from "./run-namespace.ts";

/** `manage_memory` and `search_memory`. */
export type MemoryTools = [
  LangChainMemoryTool<ManageMemoryArguments>,
  LangChainMemoryTool<SearchMemoryArguments>,
];

/**
 * The two memory tools over an engine, or a store, whose namespace is by default that of the run: `memoryNamespace`'s. Through an engine a search
 * ranks as `recall` does and leaves private memories out, and what the agent changes or deletes stays in the history.
 *
 * @param source Default: the store of the run.
 * @throws {KeepsakeError} `invalid_config` here; in a run `missing_store` and `missing_namespace_value`, which are logged as well
 * @example
 * ```ts
 * const agent = createAgent({ model, tools: memoryTools(engine) });
 * await agent.invoke(input, { configurable: { thread_id: "t1", memory_namespace: ["memories", "asha"] } });
 * ```
 */
export function memoryTools(source?: ToolEngine | ToolStore, options: NamespaceOptions = {}): MemoryTools {
  checkOptions("memoryTools", options, namespaceKinds);
  const scope = runNamespace(options);
  const place = { namespace: scope.template, ...whereOf(source) };
  const manage = manageMemoryTool(place);
  const search = searchMemoryTool(place);
  const filled = (run: ToolRun = {}): ToolRun => scope.fill(run);
  return [
    manageTool({ ...manage, execute: (args, run) => manage.execute(args, filled(run)) }),
    searchTool({ ...search, find: (args, run) => search.find(args, filled(run)) }),
  ];
}

function whereOf(source: ToolEngine | ToolStore | undefined): { engine?: ToolEngine; store?: ToolStore } {
  if (source === undefined) return {};
  return "recall" in source ? { engine: source } : { store: underlyingStore(source) };
}
