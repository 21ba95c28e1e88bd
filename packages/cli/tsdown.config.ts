import { defineConfig } from "tsdown";

/** The command, in one file; what it depends on stays outside and is installed beside it. */
export default defineConfig({
  entry: { cli: "src/cli.ts" },
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  dts: false,
  deps: { onlyBundle: [] },
  failOnWarn: true,
});
