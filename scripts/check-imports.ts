import { posix } from "node:path";
import type { CheckResult } from "./lib/check.ts";
import { manifestOf, read, sourcesUnder } from "./lib/files.ts";
import { type ImportFact, importsOf } from "./lib/imports.ts";

/** What the files of one room may import. */
interface RoomRule {
  /** Rooms entered by their index.ts. */
  readonly rooms: readonly string[];
  /** Rooms of which only types are imported (`import type`). */
  readonly typesOf?: readonly string[];
  /** Node's own modules: all of them, or those named. */
  readonly node?: "all" | readonly string[];
  /** Packages and late Node modules, imported by type or by `import()`; there are no others. */
  readonly sdks?: readonly string[];
  /** Packages whose classes an adapter constructs on import: optional peers of any version. */
  readonly host?: readonly string[];
}

const everywhere = ["util", "errors"];

/** The import table: one row per room. Growing it is a decision about the design. */
export const importTable: Readonly<Record<string, RoomRule>> = {
  util: { rooms: [] },
  errors: { rooms: [] },
  message: { rooms: [] },
  search: { rooms: [] },
  window: { rooms: ["message"] },
  delivery: { rooms: ["message"] },
  reducer: { rooms: ["window", "message", "delivery"] },
  checkpoint: { rooms: ["reducer", "message"] },
  store: {
    rooms: ["search"],
    typesOf: ["delivery"],
    sdks: ["openai", "google-genai", "mistralai", "cohere", "aws", "ollama"].map(
      (name) => `@langchain/${name}`,
    ),
  },
  "stores/postgres": {
    rooms: ["store", "search", "delivery", "checkpoint"],
    node: "all",
    sdks: ["pg"],
  },
  "stores/sqlite": {
    rooms: ["store", "search", "delivery", "checkpoint"],
    node: "all",
    sdks: ["node:sqlite", "better-sqlite3", "libsql"],
  },
  /** What content may be: schemas as tools and models see them. */
  schema: { rooms: ["store"] },
  memory: {
    rooms: ["schema", "store", "search", "message"],
    typesOf: ["delivery"],
    sdks: ["langchain", "ai", "@opentelemetry/api"],
  },
  tools: { rooms: ["schema", "store", "search", "message"], typesOf: ["delivery"] },
  tokens: { rooms: ["message"], sdks: ["gpt-tokenizer"] },
  "adapters/langgraph": {
    rooms: [
      ...["tools", "schema", "store", "search", "message"],
      ...["delivery", "window", "reducer", "checkpoint", "memory"],
    ],
    host: ["@langchain/core", "@langchain/langgraph"],
  },
  testing: {
    rooms: ["message", "window", "delivery", "reducer", "search", "store"],
    node: ["node:assert", "node:assert/strict"],
  },
  /** src/index.ts: with all that it reaches it runs in a browser. */
  root: { rooms: ["reducer", "delivery", "message", "window", "checkpoint"] },
};

const library = "packages/keepsake";
const source = `${library}/src`;

interface FileImports {
  readonly path: string;
  readonly imports: readonly ImportFact[];
}

/** Holds the library's rooms to {@link importTable}, and everything around it to the public sub-paths of `keepsake`. */
export function checkImports(root: string): CheckResult {
  const parse = (path: string): FileImports => ({ path, imports: importsOf(path, read(root, path)) });
  const files = sourcesUnder(root, source).map(parse);
  const edges = new Map(files.map((file) => [file.path, localTargets(file)]));
  const users = ["packages", "bench", "examples"]
    .flatMap((folder) => sourcesUnder(root, folder))
    .filter((path) => !path.startsWith(`${library}/`));
  const exported = new Set(
    Object.keys(manifestOf(root, library).exports).map((key) => posix.join("keepsake", key)),
  );
  const problems = [
    ...files.flatMap((file) => file.imports.flatMap((fact) => roomProblem(file.path, fact, edges))),
    ...cycles(edges).map((cycle) => `cycle between files: ${cycle.map(fromSource).join(" → ")}`),
    ...cycles(roomEdges(edges)).map((cycle) => `cycle between rooms: ${cycle.join(" → ")}`),
    ...users
      .map(parse)
      .flatMap((file) => file.imports.flatMap((fact) => userProblem(file.path, fact, exported))),
  ];
  return { problems, note: `${files.length} files of the library, ${users.length} around it` };
}

function roomProblem(
  path: string,
  fact: ImportFact,
  edges: ReadonlyMap<string, readonly string[]>,
): string[] {
  const room = roomOf(path);
  const rule = importTable[room];
  const where = `${path}:${fact.line}`;
  if (rule === undefined)
    return [`${where} belongs to no room of the import table (scripts/check-imports.ts)`];
  if (fact.specifier === undefined) {
    if (rule.sdks !== undefined) return [];
    return [`${where} imports something computed: ${room} may only import what its line names`];
  }
  const says = `${where} imports ${fact.specifier}:`;
  if (!fact.specifier.startsWith(".")) return packageProblem(says, room, rule, fact, fact.specifier);
  const target = resolve(path, fact.specifier);
  if (!edges.has(target)) return [`${says} there is no such file under ${source}`];
  const targetRoom = roomOf(target);
  if (targetRoom === room) return [];
  if (target !== indexOf(targetRoom)) return [`${says} ${targetRoom} is entered by its index.ts only`];
  if (everywhere.includes(targetRoom) || rule.rooms.includes(targetRoom)) return [];
  if (rule.typesOf?.includes(targetRoom) === true) {
    return fact.use === "type"
      ? []
      : [`${says} ${room} may import types of ${targetRoom} only (import type)`];
  }
  return [`${says} ${room} may enter ${[...rule.rooms, ...everywhere].join(", ")} only`];
}

function packageProblem(
  says: string,
  room: string,
  rule: RoomRule,
  fact: ImportFact,
  specifier: string,
): string[] {
  const name = packageName(specifier);
  if (rule.host?.includes(name) === true) return [];
  if (rule.sdks?.includes(name) === true) {
    return fact.use === "value" ? [`${says} only by type or by import(), so that it stays optional`] : [];
  }
  if (!specifier.startsWith("node:")) return [`${says} ${room} may import no package`];
  const isAllowed = rule.node === "all" || rule.node?.includes(specifier) === true;
  return isAllowed ? [] : [`${says} ${room} may import no such module of Node`];
}

function userProblem(path: string, fact: ImportFact, exported: ReadonlySet<string>): string[] {
  const { specifier } = fact;
  if (specifier === undefined) return [];
  const says = `${path}:${fact.line} imports ${specifier}:`;
  if (specifier.startsWith(".")) {
    const home = path.split("/").slice(0, path.startsWith("packages/") ? 2 : 1);
    const target = resolve(path, specifier);
    return target.startsWith(`${home.join("/")}/`)
      ? []
      : [`${says} outside ${home.join("/")}; use what is published`];
  }
  if (packageName(specifier) !== "keepsake" || exported.has(specifier)) return [];
  return [`${says} no sub-path of keepsake (package.json, exports)`];
}

function localTargets(file: FileImports): string[] {
  return file.imports.flatMap(({ specifier }) => {
    return specifier?.startsWith(".") === true ? [resolve(file.path, specifier)] : [];
  });
}

function roomEdges(edges: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const rooms = new Map<string, string[]>();
  for (const [path, targets] of edges) {
    const room = roomOf(path);
    const others = targets
      .filter((target) => edges.has(target))
      .map(roomOf)
      .filter((target) => target !== room);
    rooms.set(room, [...new Set([...(rooms.get(room) ?? []), ...others])]);
  }
  return rooms;
}

/** Each cycle that a depth-first walk closes, as the nodes on it with the first repeated at the end. */
function cycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const walk = (node: string): void => {
    const start = trail.indexOf(node);
    if (start >= 0) found.push([...trail.slice(start), node]);
    if (start >= 0 || done.has(node)) return;
    trail.push(node);
    for (const next of edges.get(node) ?? []) walk(next);
    trail.pop();
    done.add(node);
  };
  for (const node of edges.keys()) walk(node);
  return found;
}

function roomOf(path: string): string {
  const [first = "", second = "", third] = fromSource(path).split("/");
  if (second === "") return "root";
  return third === undefined ? first : nested(first, second);
}

function nested(first: string, second: string): string {
  return first === "stores" || first === "adapters" ? `${first}/${second}` : first;
}

function indexOf(room: string): string {
  return room === "root" ? `${source}/index.ts` : `${source}/${room}/index.ts`;
}

function packageName(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function resolve(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier);
}

function fromSource(path: string): string {
  return posix.relative(source, path);
}
