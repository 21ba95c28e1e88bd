import { underlyingStore } from "../../store/index.ts";
import {
  type ManageMemoryArguments,
  manageMemoryTool,
  type SearchMemoryArguments,
  searchMemoryTool,
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

export function memoryTools(source?: ToolStore, options: NamespaceOptions = {}): MemoryTools {
  checkOptions("memoryTools", options, namespaceKinds);
  const scope = runNamespace(options);
  const place = {
    namespace: scope.template,
    ...(source === undefined ? {} : { store: underlyingStore(source) }),
  };
  const manage = manageMemoryTool(place);
  const search = searchMemoryTool(place);
  const filled = (run: ToolRun = {}): ToolRun => scope.fill(run);
  return [
    manageTool({ ...manage, execute: (args, run) => manage.execute(args, filled(run)) }),
    searchTool({ ...search, find: (args, run) => search.find(args, filled(run)) }),
  ];
}
