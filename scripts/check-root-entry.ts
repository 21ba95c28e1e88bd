import { existsSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { Rolldown } from "tsdown";
import type { CheckResult } from "./lib/check.ts";

/** Bytes that the root entry may have, minified and gzipped. */
const maximumBytes = 31_000;

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
  const code = await minified(join(root, entry), collectOutside(root, outside));
  const bytes = gzipSync(code, { level: 9 }).length;
  const problems = [...outside];
  if (bytes > maximumBytes)
    problems.push(`${entry} has ${bytes} bytes minified and gzipped; ${maximumBytes} are allowed`);
  if (outside.length === 0) problems.push(...(await evaluate(code)));
  return { problems, note: `${bytes} of ${maximumBytes} bytes minified and gzipped` };
}

/** An entry and its chunks as one module, by the minifier that the build ships. */
async function minified(input: string, plugin: Rolldown.Plugin): Promise<string> {
  const bundle = await Rolldown.rolldown({
    input,
    platform: "neutral",
    logLevel: "silent",
    plugins: [plugin],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

function collectOutside(root: string, outside: string[]): Rolldown.Plugin {
  return {
    name: "collect-outside",
    resolveId(source, importer) {
      if (importer === undefined || source.startsWith(".")) return undefined;
      outside.push(`${importer.replace(`${root}/`, "")} reaches ${source}`);
      return { id: source, external: true };
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
