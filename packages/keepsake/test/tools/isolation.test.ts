import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryEngine } from "../../src/memory/index.ts";
import { InMemoryStore } from "../../src/store/index.ts";
import { manageMemoryTool, searchMemoryTool, type ToolStore } from "../../src/tools/index.ts";
import { namespace } from "./harness.ts";

const secret = "bela-secret-4711";
const belasId = "3bd1a3a0-5f0e-4c57-9d35-0c1b5f6f6a11";

/** A store that writes down every namespace that it is asked for. */
function watched(): { store: ToolStore; inner: InMemoryStore; namespaces: readonly string[][] } {
  const inner = new InMemoryStore();
  const namespaces: string[][] = [];
  const noting =
    <Rest extends unknown[], Result>(method: (namespace: string[], ...rest: Rest) => Result) =>
    (asked: string[], ...rest: Rest): Result => {
      namespaces.push([...asked]);
      return method.call(inner, asked, ...rest);
    };
  const store = {
    get: noting(inner.get),
    put: noting(inner.put),
    delete: noting(inner.delete),
    search: noting(inner.search),
    // So that it counts as one of keepsake's.
    compareAndSet: noting(inner.compareAndSet as never),
    capabilities: inner.capabilities,
  };
  return { store: store as unknown as ToolStore, inner, namespaces };
}

const elsewhere = fc.constantFrom<unknown>(
  "bela",
  "memories/bela",
  "/memories/bela",
  ["memories", "bela"],
  ["memories"],
  [],
  "..",
  "../bela",
  "*",
  "%",
  { userId: "bela" },
  { configurable: { userId: "bela" } },
  belasId,
  `../bela/${belasId}`,
  secret,
  "{userId}",
  "__keepsake",
  null,
);

const anything = fc.oneof({ weight: 3, arbitrary: elsewhere }, { weight: 1, arbitrary: fc.jsonValue() });

const injected = fc.dictionary(
  fc.constantFrom(
    ...["namespace", "namespace_prefix", "namespacePrefix", "tenant", "user_id", "userId", "configurable"],
    ...[
      "context",
      "store",
      "config",
      "run",
      "scope",
      "thread_id",
      "__proto__",
      "constructor",
      "prefix",
      "path",
    ],
  ),
  anything,
);

const manageArguments = fc
  .tuple(
    injected,
    fc.record(
      {
        action: fc.constantFrom("create", "update", "delete", "list", null),
        id: anything,
        content: fc.oneof(fc.string(), anything),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([extra, named]) => ({ ...extra, ...named }));

const searchArguments = fc
  .tuple(
    injected,
    fc.record(
      {
        query: fc.oneof(fc.string(), fc.constantFrom(secret, "secret", "")),
        limit: fc.oneof(fc.integer(), anything),
        offset: fc.oneof(fc.integer({ min: 0, max: 20 }), anything),
        filter: fc.oneof(
          injected,
          fc.dictionary(fc.constantFrom("content", "namespace", "$or", "a.b"), anything),
        ),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([extra, named]) => ({ ...extra, ...named }));

const calls = fc.array(
  fc.oneof(
    manageArguments.map((args) => ({ tool: "manage" as const, args })),
    searchArguments.map((args) => ({ tool: "search" as const, args })),
    fc.jsonValue().map((args) => ({ tool: "manage" as const, args })),
    fc.jsonValue().map((args) => ({ tool: "search" as const, args })),
  ),
  { minLength: 1, maxLength: 6 },
);

describe("no argument of a model", () => {
  it("leaves the namespace of the run", async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (made) => {
        const { store, inner, namespaces } = watched();
        await inner.put(["memories", "bela"], belasId, { content: secret });
        await inner.put(["memories", "asha"], "own", { content: "Asha's" });
        const tools = {
          manage: manageMemoryTool({ namespace, store }),
          search: searchMemoryTool({ namespace, store }),
        };
        for (const { tool, args } of made) {
          const answer = await tools[tool].execute(args, { configurable: { userId: "asha" } });
          if (!JSON.stringify(args).includes(secret)) expect(answer).not.toContain(secret);
          if (!JSON.stringify(args).includes(belasId)) expect(answer).not.toContain(belasId);
          if (tool === "search") expect(Array.isArray(JSON.parse(answer))).toBe(true);
        }
        for (const asked of namespaces) expect(asked).toEqual(["memories", "asha"]);
        const everything = await inner.search([], { limit: 100 });
        for (const item of everything) {
          expect(["memories/asha", "memories/bela"]).toContain(item.namespace.join("/"));
        }
        expect(everything.filter((item) => item.namespace[1] === "bela")).toHaveLength(1);
        expect(await inner.get(["memories", "bela"], belasId)).toMatchObject({
          version: 1,
          value: { content: secret },
        });
      }),
      { numRuns: 400 },
    );
  });

  it("leaves it through an engine either, nor shows what is private", async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (made) => {
        const store = new InMemoryStore();
        const engine = new MemoryEngine({ store, extractor: () => [], consolidator: () => [] });
        await store.put(["memories", "bela"], belasId, { content: secret });
        const [own] = await engine.remember(secret, ["memories", "asha"], { extract: false, private: true });
        const tools = {
          manage: manageMemoryTool({ namespace, engine }),
          search: searchMemoryTool({ namespace, engine }),
        };
        for (const { tool, args } of made) {
          const answer = await tools[tool].execute(args, { configurable: { userId: "asha" } });
          const given = JSON.stringify(args);
          if (!given.includes(secret)) expect(answer).not.toContain(secret);
          if (!given.includes(belasId)) expect(answer).not.toContain(belasId);
          if (tool === "search") expect(Array.isArray(JSON.parse(answer))).toBe(true);
        }
        const untouched = { version: 1, value: { content: secret } };
        expect(await store.get(["memories", "bela"], belasId)).toMatchObject(untouched);
        expect(await store.get(["memories", "asha"], own?.key ?? "")).toMatchObject(untouched);
        const others = (await store.search([], { limit: 100 })).filter(
          (item) => item.namespace[1] !== "asha",
        );
        expect(others.map(({ key }) => key)).toEqual([belasId]);
      }),
      { numRuns: 60 },
    );
  });
});
