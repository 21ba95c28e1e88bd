import { defineConfig } from "vitest/config";

/** The packed tarballs as their users get them: built code, installed outside the workspace. */
export default defineConfig({
  test: {
    include: ["test/pack/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
