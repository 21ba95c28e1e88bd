import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adapters, standalone } from "./sub-paths.ts";
import {
  filesIn,
  installApp,
  type Outcome,
  outsideFolder,
  pack,
  run,
  runTool,
  workspace,
} from "./tarballs.ts";

const folder = outsideFolder();
let tarball = "";
let app = "";

beforeAll(() => {
  tarball = pack("packages/keepsake", folder);
  app = installApp(join(folder, "app"), [tarball], ["--offline"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the tarball holds built code, its types, and the papers; no sources, tests or source maps", () => {
  const files = filesIn(tarball);
  const papers = files.filter((path) => !path.startsWith("dist/")).sort();
  expect(papers).toEqual(["LICENSE", "README.md", "package.json"]);
  expect(
    files.filter((path) => path.startsWith("dist/") && !/^dist\/[\w-]+\.(js|d\.ts)$/.test(path)),
  ).toEqual([]);
  const dist = join(app, "node_modules/keepsake/dist");
  const mapped = readdirSync(dist).filter((name) =>
    readFileSync(join(dist, name), "utf8").includes("sourceMappingURL"),
  );
  expect(mapped).toEqual([]);
});

test("it brings nothing with it", () => {
  const installed = readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["keepsake"]);
});

test("the tables of this suite name every sub-path", () => {
  const manifest = readFileSync(join(app, "node_modules/keepsake/package.json"), "utf8");
  const exported = Object.keys(JSON.parse(manifest).exports).filter((path) => !path.endsWith(".json"));
  expect([...standalone, ...adapters.map(({ path }) => path)].sort()).toEqual(exported.sort());
});

test.each(standalone)("%s is imported without any optional SDK", (path) => {
  const script = `console.log(Object.keys(await import("${entryOf(path)}")).length)`;
  const { status, output } = run(app, process.execPath, ["--input-type=module", "--eval", script]);
  expect(output).toMatch(/^[1-9]\d*\n$/);
  expect(status).toBe(0);
});

test.each(adapters)("$path is imported with its host alone", ({ path, host }) => {
  const own = installApp(join(folder, path.replaceAll(/\W/g, "-")), [tarball, ...host], ["--prefer-offline"]);
  const script = `console.log(Object.keys(await import("${entryOf(path)}")).length)`;
  expect(run(own, process.execPath, ["--input-type=module", "--eval", script]).output).toMatch(
    /^[1-9]\d*\n$/,
  );
});

const nodeTypes = { types: ["node"], typeRoots: [join(workspace, "node_modules/@types")] };
const severe = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
};

test.each([
  [
    "everything",
    "for Node",
    { module: "nodenext", target: "es2022", lib: ["es2022"], ...nodeTypes, ...severe },
  ],
  [
    "everything",
    "for a bundler",
    { module: "esnext", moduleResolution: "bundler", target: "es2022", ...nodeTypes },
  ],
  [
    "root",
    "for a browser",
    { module: "esnext", moduleResolution: "bundler", target: "es2022", lib: ["es2022", "dom"], types: [] },
  ],
])("the types of %s hold %s, with skipLibCheck off", (consumer, _, options) => {
  cpSync(join(workspace, `test/pack/consumers/${consumer}.ts`), join(app, "consumer.ts"));
  expect(compile("consumer.ts", options)).toEqual({ status: 0, output: "" });
});

test("a wrong use is a type error: the tests above do look at the types", () => {
  const text = 'import { MessageReducer } from "keepsake";\nnew MessageReducer({ maxMessages: "2" });\n';
  writeFileSync(join(app, "wrong.ts"), text);
  const { output } = compile("wrong.ts", { module: "nodenext", lib: ["es2022", "dom"], types: [] });
  expect(output).toMatch(/wrong\.ts\(2,\d+\): error TS2322/);
});

test("publint has nothing to say", () => {
  expect(runTool(app, "publint", ["run", tarball, "--strict"])).toMatchObject({ status: 0 });
});

test("attw finds the types of every sub-path", () => {
  expect(runTool(app, "attw", [tarball, "--profile", "esm-only", "--no-color"])).toMatchObject({ status: 0 });
});

function compile(file: string, options: Readonly<Record<string, unknown>>): Outcome {
  const compilerOptions = { ...options, strict: true, noEmit: true, skipLibCheck: false };
  writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  return runTool(app, "tsc", ["--project", "."]);
}

function entryOf(path: string): string {
  return path.replace(/^\./, "keepsake");
}
