import { defineConfig } from "vitest/config";

/** The exhaustive suites, too long for every `npm test`: larger random runs of what the quick suites sample. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["{packages/*/test,scripts,examples,bench}/**/*.slow.test.ts"],
    setupFiles: ["packages/keepsake/test/seed.ts"],
    exclude: ["**/node_modules/**"],
    testTimeout: 600_000,
  },
});
