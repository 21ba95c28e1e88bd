import { existsSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build, type Plugin, transform } from "esbuild";
import type { CheckResult } from "./lib/check.ts";

/** Bytes that the root entry may have, minified and gzipped. */
const maximumBytes = 12_000;

const entry = "packages/keepsake/dist/index.js";

/** What browsers, workers and edge runtimes have in common beyond the language; nothing of Node's own. */
const webGlobals = {
  AbortController,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  URL,
  clearTimeout,
  console,
  crypto: globalThis.crypto,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone,
};

/** The built root entry, with every chunk that it reaches: no package, no module of Node, no global of Node, and small. */
export async function checkRootEntry(root: string): Promise<CheckResult> {
  if (!existsSync(join(root, entry))) return { problems: [`${entry} is missing: run npm run build`] };
  const outside: string[] = [];
  const result = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    logLevel: "silent",
    plugins: [collectOutside(root, outside)],
  });
  const code = result.outputFiles[0]?.text ?? "";
  const bytes = gzipSync(code, { level: 9 }).length;
  const problems = [...outside];
  if (bytes > maximumBytes)
    problems.push(`${entry} has ${bytes} bytes minified and gzipped; ${maximumBytes} are allowed`);
  if (outside.length === 0) problems.push(...(await evaluate(code)));
  return { problems, note: `${bytes} of ${maximumBytes} bytes minified and gzipped` };
}

function collectOutside(root: string, outside: string[]): Plugin {
  return {
    name: "collect-outside",
    setup(builder) {
      builder.onResolve({ filter: /^[^.]/ }, ({ path, importer, kind }) => {
        if (kind === "entry-point") return undefined;
        outside.push(`${importer.replace(`${root}/`, "")} reaches ${path}`);
        return { path, external: true };
      });
    },
  };
}

async function evaluate(code: string): Promise<string[]> {
  const script = await transform(code, { format: "iife", treeShaking: false });
  try {
    runInNewContext(script.code, { ...webGlobals });
    return [];
  } catch (error) {
    return [`${entry} cannot be loaded without the globals of Node: ${error}`];
  }
}
