import { describe, expect, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";

const namespace = ["n"];
const value = { n: 2 };

async function refusalOf(operation: unknown) {
  const store = new InMemoryStore();
  await store.put(namespace, "k", { n: 1 });
  const failure = await store.batch([{ namespace, key: "other", value }, operation]).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect((await store.get(namespace, "k"))?.value).toEqual({ n: 1 });
  expect((await store.get(namespace, "other"))?.value).toEqual(value);
  return failure;
}

describe("an operation of a batch with a property that its kind does not have", () => {
  test.each([
    [{ namespacePrefix: namespace, fliter: { n: 1 } }, /Did you mean "filter"/],
    [{ namespace, key: "k", vlaue: value }, /is a get has no property "vlaue".*with `value` it is a put/],
    [{ namespace, key: "k", expectedVersion: 7, value }, /use `compareAndSet`/],
    [{ namespace, key: "k", value, ttlMs: 1 }, /`options: \{ ttlMs \}`/],
    [{ namespace, key: "k", value: null, touch: true }, /`options: \{ touch \}`/],
    [{ namespacePrefix: namespace, namespace, key: "k", value }, /is a search has no property "namespace"/],
    [{ matchConditions: [], maxDeph: 1 }, /Did you mean "maxDepth"/],
    [{ namespacePrefx: namespace, limit: 3 }, /Did you mean "namespacePrefix"/],
  ])("%j is refused alone, and says why", async (operation, words) => {
    expect(await refusalOf(operation)).toMatchObject({
      code: "batch_failed",
      data: {
        errors: [{ index: 1, error: { code: "invalid_input", message: expect.stringMatching(words) } }],
      },
    });
  });

  test("all that LangGraph's operations have is known", async () => {
    const store = new InMemoryStore();
    const results = await store.batch([
      { namespace, key: "k", value, index: undefined },
      { namespace, key: "k" },
      { namespacePrefix: namespace, filter: undefined, limit: 10, offset: 0, query: undefined },
      { matchConditions: undefined, maxDepth: undefined, limit: 100, offset: 0 },
      { namespace, key: "k", value: null },
    ]);
    expect(results[1]).toMatchObject({ value });
    expect(results[3]).toEqual([namespace]);
  });

  test("a put may carry `options`", async () => {
    let time = 0;
    const store = new InMemoryStore({ now: () => time });
    await store.batch([{ namespace, key: "k", value, options: { ttlMs: 5 } }]);
    time = 10;
    expect(await store.get(namespace, "k")).toBeNull();
  });
});

describe("a signal on one search of a batch", () => {
  const search = (signal: AbortSignal) => ({ namespacePrefix: namespace, signal });
  const put = { namespace, key: "k", value };

  test("comes too late for a search that has begun, and changes nothing when it is not aborted", async () => {
    const store = new InMemoryStore();
    const controller = new AbortController();
    const searching = store.batch([put, search(controller.signal)]);
    expect((await searching)[1]).toHaveLength(1);
  });

  test("that is aborted while texts are embedded leaves the writes alone", async () => {
    const controller = new AbortController();
    const embed = async (texts: string[]) => {
      controller.abort(new Error("enough"));
      return texts.map(() => [1, 0]);
    };
    const store = new InMemoryStore({ index: { embed } });
    const batch = [{ ...put, value: { content: "tea" } }, search(controller.signal)];
    await expect(store.batch(batch)).rejects.toMatchObject({ data: { errors: [{ index: 1 }] } });
    expect(await store.count(namespace)).toBe(1);
  });
});
