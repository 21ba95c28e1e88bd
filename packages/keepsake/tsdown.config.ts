import { defineConfig } from "tsdown";

/** One entry per sub-path of the export map; what several share goes to chunks beside them. */
export default defineConfig({
  entry: {
    index: "src/index.ts",
    langgraph: "src/adapters/langgraph/index.ts",
    memory: "src/memory/index.ts",
    postgres: "src/stores/postgres/index.ts",
    sqlite: "src/stores/sqlite/index.ts",
    store: "src/store/public.ts",
    testing: "src/testing/index.ts",
    tokens: "src/tokens/index.ts",
    tools: "src/tools/index.ts",
  },
  format: "esm",
  platform: "neutral",
  target: "es2023",
  fixedExtension: false,
  dts: true,
  // `Symbol.asyncDispose` stands in the declarations; an app whose own `lib` is older must still compile.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
  deps: {
    neverBundle: [
      ...[/^node:/, /^@langchain\//, /^langchain(\/|$)/, "ai", "@opentelemetry/api"],
      ...["better-sqlite3", "libsql", "pg", /^gpt-tokenizer/],
    ],
    onlyBundle: [],
  },
  hash: false,
  // A chunk is called after the file in it, often index: the types of an entry would lie under another name.
  outputOptions: { chunkFileNames: "shared-[name].js" },
  failOnWarn: true,
});
