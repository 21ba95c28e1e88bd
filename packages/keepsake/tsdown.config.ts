import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    memory: "src/memory/index.ts",
    sqlite: "src/stores/sqlite/index.ts",
    store: "src/store/index.ts",
    testing: "src/testing/index.ts",
  },
  format: "esm",
  platform: "neutral",
  target: "es2023",
  dts: true,
  sourcemap: false,
  clean: true,
  external: [/^node:/, "better-sqlite3", "libsql"],
  fixedExtension: false,
});
