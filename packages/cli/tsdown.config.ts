import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { cli: "src/cli.ts" },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: false,
  sourcemap: false,
  clean: true,
  fixedExtension: false,
});
