import { InMemoryStore } from "../../src/store/index.ts";
import { type ManageMemoryOptions, manageMemoryTool, type ToolRun } from "../../src/tools/index.ts";

/** A logger that keeps what it is told. */
export function keepingLogger() {
  const warnings: unknown[][] = [];
  const errors: unknown[][] = [];
  return {
    warnings,
    errors,
    warn: (...parts: unknown[]) => void warnings.push(parts),
    error: (...parts: unknown[]) => void errors.push(parts),
  };
}

export const asha: ToolRun = { configurable: { userId: "asha" } };
export const bela: ToolRun = { configurable: { userId: "bela" } };
export const namespace = ["memories", "{userId}"];

/** A manage tool over a store of its own. */
export function managed(options: Partial<ManageMemoryOptions> = {}) {
  const store = new InMemoryStore();
  const tool = manageMemoryTool({ namespace, store, ...options });
  return {
    store,
    tool,
    /** Calls the tool as Asha's. */
    ask: (args: unknown, run: ToolRun = asha) => tool.execute(args, run),
    items: (user = "asha") => store.search(["memories", user], { limit: 100 }),
  };
}

/** The id in `created memory <id>`. */
export function idIn(answer: string): string {
  return /^\w+ memory (\S+)$/.exec(answer)?.[1] ?? "";
}
