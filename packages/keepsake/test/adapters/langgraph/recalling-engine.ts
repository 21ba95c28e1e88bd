import { memoryRecord } from "../../../src/memory/record.ts";
import type { ToolEngine } from "../../../src/tools/index.ts";

/** An engine that recalls the same memories whatever it is asked, and keeps the questions. */
export function recallingEngine(contents: readonly string[]) {
  const asked: unknown[][] = [];
  const nothing = async () => null;
  const engine: ToolEngine = {
    get: nothing,
    update: nothing,
    list: async () => [],
    remember: async () => [],
    forget: async () => 0,
    async recall(query, namespace, options) {
      asked.push([query, namespace, options]);
      return contents.map((content, index) => ({
        score: 1,
        record: memoryRecord(
          {
            namespace,
            key: `memory-${index}`,
            value: { kind: "memory", content },
            createdAt: new Date(0),
            updatedAt: new Date(0),
            version: 1,
          },
          { defaultImportance: 0.5 },
        ),
      }));
    },
  };
  return { engine, asked };
}
