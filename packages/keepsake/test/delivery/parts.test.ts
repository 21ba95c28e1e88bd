import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deliveryIdOf } from "../../src/delivery/delivery-id.ts";
import { createLedger } from "../../src/delivery/ledger.ts";
import { createLines } from "../../src/delivery/lines.ts";
import { namespaceRef, scopeRef } from "../../src/delivery/namespace-ref.ts";
import { gate, settle } from "./harness.ts";

const keyOf = (namespace: unknown): string => namespaceRef(namespace).key;

describe("namespaceRef", () => {
  it("gives equal keys to equal JSON, and different keys to all else", () => {
    expect(keyOf({ a: 1, b: ["x"] })).toBe(keyOf({ b: ["x"], a: 1 }));
    const different = [
      ["a", "b:c"],
      ["a", "b", "c"],
      ["a:b", "c"],
      "a",
      ["a"],
      null,
      "null",
      undefined,
      "undefined",
      7,
      "7",
      7n,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Symbol.for("a"),
      Symbol.for("b"),
      Symbol("a"),
      Symbol("a"),
      () => 1,
      () => 1,
      new Map(),
      new Map(),
      [7n],
      [7n],
      "#1",
      "#2",
      "=bigint:7",
      "=symbol:Symbol(a)",
      "=undefined:undefined",
    ];
    expect(new Set(different.map(keyOf)).size).toBe(different.length);
  });

  it("keys by identity what has no JSON", () => {
    const values = [new Map(), () => 1, Symbol("local"), [7n], new (class Tenant {})()];
    for (const value of values) {
      expect(keyOf(value)).toBe(keyOf(value));
      expect(namespaceRef(value)).toMatchObject({ stable: false });
      expect(namespaceRef(value).read()).toBe(value);
    }
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(keyOf(cyclic)).toBe(keyOf(cyclic));
  });

  it("says which keys mean the same to another process", () => {
    for (const value of [["a"], null, undefined, 7n, Symbol.for("a"), Number.NaN]) {
      expect(namespaceRef(value)).toMatchObject({ stable: true });
    }
  });

  it("gives the value itself back while it is what it was, else a copy of what it was", () => {
    const namespace = { tenant: ["a"] };
    const ref = namespaceRef(namespace);
    expect(ref.read()).toBe(namespace);
    namespace.tenant[0] = "b";
    expect(ref.read()).toEqual({ tenant: ["a"] });
    expect(keyOf(namespace)).not.toBe(ref.key);
  });

  it("survives a value that cannot be read, and a runtime without weak symbols", () => {
    const broken = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error("broken");
        },
      },
    );
    expect(keyOf(broken)).toBe(keyOf(broken));
    const original = WeakMap.prototype.set;
    const set = vi.spyOn(WeakMap.prototype, "set").mockImplementation(function (
      this: WeakMap<WeakKey, unknown>,
      key,
      value,
    ) {
      if (typeof key === "symbol") throw new TypeError("invalid key");
      return original.call(this, key, value);
    });
    const symbol = Symbol("a");
    expect(keyOf(symbol)).not.toBe(keyOf(symbol));
    set.mockRestore();
  });

  it("tells scopes apart by thread", () => {
    const keys = [undefined, "", "null", "a"].map((threadId) => scopeRef({ namespace: ["n"], threadId }).key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("deliveryIdOf", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("tells parts apart, wherever they are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1 }),
        fc.array(fc.string(), { minLength: 1 }),
        (left, right) => {
          const same = JSON.stringify(left) === JSON.stringify(right);
          expect(deliveryIdOf(left) === deliveryIdOf(right)).toBe(same);
        },
      ),
    );
  });

  it.each([
    ["with crypto", undefined],
    ["without crypto", { crypto: undefined }],
    ["without randomUUID, as on an insecure page", { crypto: {} }],
  ])("is random where a part is unknown, %s", (_, globals) => {
    if (globals !== undefined) vi.stubGlobal("crypto", globals.crypto);
    const ids = Array.from({ length: 100 }, () => deliveryIdOf([0, undefined]));
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("createLedger", () => {
  const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);

  it("keeps pages apart", () => {
    const ledger = createLedger(10);
    ledger.claim("p", ["a", undefined]);
    expect(ledger.has("p", "a")).toBe(true);
    expect(ledger.has("q", "a")).toBe(false);
    ledger.release("p", ["a", undefined, "unknown"]);
    ledger.release("unknown", ["a"]);
    expect(ledger.has("p", "a")).toBe(false);
    expect(ledger.size()).toBe(0);
  });

  it("forgets the oldest of a page beyond the window", () => {
    const ledger = createLedger(3);
    ledger.claim("p", ["a", "b"]);
    ledger.claim("p", ["a", "c", "d"]);
    expect(["a", "b", "c", "d"].map((identity) => ledger.has("p", identity))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(ledger.size()).toBe(3);
  });

  it("forgets the least recently used pages beyond 20 windows in all", () => {
    const ledger = createLedger(10);
    for (let page = 0; page < 20; page += 1) ledger.claim(`${page}`, numbered(10));
    expect(ledger.size()).toBe(200);
    ledger.claim("0", []);
    ledger.claim("new", ["a"]);
    expect(ledger.size()).toBe(191);
    expect(["0", "1", "2"].map((page) => ledger.has(page, "1"))).toEqual([true, false, true]);
  });

  it("forgets the least recently used pages beyond 10 000", () => {
    const ledger = createLedger(1_000);
    for (let page = 0; page <= 10_000; page += 1) ledger.claim(`${page}`, ["a"]);
    expect(ledger.size()).toBe(10_000);
    expect(ledger.has("0", "a")).toBe(false);
    expect(ledger.has("1", "a")).toBe(true);
  });

  it("takes no room for a page without identities", () => {
    const ledger = createLedger(1);
    ledger.claim("p", ["a"]);
    for (let page = 0; page <= 10_000; page += 1) ledger.claim(`empty ${page}`, [undefined]);
    expect(ledger.has("p", "a")).toBe(true);
  });

  it("keeps its count and its bounds", () => {
    const step = fc.record({
      kind: fc.constantFrom("claim", "claim", "release"),
      page: fc.nat(40).map(String),
      identities: fc.array(fc.constantFrom(undefined, ...numbered(8)), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), fc.integer({ min: 1, max: 2 }), (steps, window) => {
        const ledger = createLedger(window);
        for (const { kind, page, identities } of steps) ledger[kind](page, identities);
        let known = 0;
        for (const page of numbered(41)) {
          const here = numbered(8).filter((identity) => ledger.has(page, identity)).length;
          expect(here).toBeLessThanOrEqual(window);
          known += here;
        }
        expect(ledger.size()).toBe(known);
        expect(known).toBeLessThanOrEqual(20 * window);
      }),
      { numRuns: 200 },
    );
  });
});

describe("createLines", () => {
  it("keeps each line's order, runs lines side by side up to the bound, and leaves none out", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 20 }),
        fc.integer({ min: 1, max: 3 }),
        fc.scheduler(),
        async (names, concurrency, scheduler) => {
          const running: string[] = [];
          const done: { line: string; index: number }[] = [];
          const lines = createLines<{ line: string; index: number }>(concurrency, async (item) => {
            expect(running).not.toContain(item.line);
            running.push(item.line);
            expect(running.length).toBeLessThanOrEqual(concurrency);
            await scheduler.schedule(Promise.resolve());
            running.splice(running.indexOf(item.line), 1);
            done.push(item);
          });
          for (const [index, line] of names.entries()) lines.add(line, { line, index });
          await scheduler.waitIdle();
          expect(done).toHaveLength(names.length);
          for (const name of ["a", "b", "c", "d"]) {
            const indices = done.filter(({ line }) => line === name).map(({ index }) => index);
            expect(indices).toEqual([...indices].sort((left, right) => left - right));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("clears what has not been started", async () => {
    const { promise, open } = gate();
    const started: number[] = [];
    const lines = createLines<number>(1, (item) => {
      started.push(item);
      return promise;
    });
    for (const item of [1, 2]) lines.add("a", item);
    lines.add("b", 3);
    expect(lines.clear()).toEqual([2, 3]);
    open();
    await settle();
    expect(started).toEqual([1]);
  });
});
