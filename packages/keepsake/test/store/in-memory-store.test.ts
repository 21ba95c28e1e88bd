import { describe, expect, test } from "vitest";
import { InMemoryStore } from "../../src/store/index.ts";

test("a question finds the item that holds its words, best first", async () => {
  const store = new InMemoryStore({ index: { fields: { content: 1, note: 0.5 } } });
  await store.put(["u", "1"], "a", { content: "Prefers a window seat", note: "plane" });
  await store.put(["u", "1"], "b", { content: "Allergic to peanuts", note: "window" });
  await store.put(["u", "10"], "c", { content: "window" });
  const found = await store.search(["u", "1"], { query: "Which seats at the windows?" });
  expect(found.map(({ key }) => key)).toEqual(["a", "b"]);
  expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? Number.POSITIVE_INFINITY);
});

describe("what is passed wrongly is refused", () => {
  test.each([
    [{ indx: {} }, /unknown option "indx".*Did you mean "index"/],
    [{ path: "memory.db" }, /unknown option "path"/],
    [{ now: 5 }, /now must be a function/],
    [{ now: new Date(0) }, /now must be a function/],
  ])("%j", (config, words) => {
    expect(() => new InMemoryStore(config as never)).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringMatching(words) }),
    );
  });

  test.each([Number.NaN, "1", undefined, new Date(0)])("a clock that gives %s", async (time) => {
    const store = new InMemoryStore({ now: () => time as never });
    await expect(store.put(["n"], "k", {})).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("milliseconds since 1970"),
    });
  });

  test("`onProgress` that is no function", async () => {
    const store = new InMemoryStore();
    await expect(store.reindex({ onProgress: "yes" as never })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});
