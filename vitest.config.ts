import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["{packages/*/test,scripts,examples,bench}/**/*.test.ts"],
    setupFiles: ["packages/keepsake/test/seed.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts"],
    testTimeout: 20_000,
  },
});
