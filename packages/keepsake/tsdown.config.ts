import { defineConfig } from "tsdown";

/** One entry per sub-path of the export map; what several share goes to chunks beside them. */
export default defineConfig({
  entry: {
    index: "src/index.ts",
    memory: "src/memory/index.ts",
    sqlite: "src/stores/sqlite/index.ts",
    store: "src/store/public.ts",
    testing: "src/testing/index.ts",
  },
  format: "esm",
  platform: "neutral",
  target: "es2023",
  fixedExtension: false,
  dts: true,
  // `Symbol.asyncDispose` stands in the declarations; an app whose own `lib` is older must still compile.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
  deps: { neverBundle: [/^node:/, "better-sqlite3", "libsql"], onlyBundle: [] },
  hash: false,
  failOnWarn: true,
});
