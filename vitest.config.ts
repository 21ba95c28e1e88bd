import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(`./packages/keepsake/src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^keepsake$/, replacement: source("index.ts") },
      { find: /^keepsake\/memory$/, replacement: source("memory/index.ts") },
      { find: /^keepsake\/sqlite$/, replacement: source("stores/sqlite/index.ts") },
      { find: /^keepsake\/store$/, replacement: source("store/index.ts") },
      { find: /^keepsake\/testing$/, replacement: source("testing/index.ts") },
    ],
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "scripts/**/*.test.ts", "examples/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
    testTimeout: 20_000,
  },
});
