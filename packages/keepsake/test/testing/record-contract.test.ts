import { expect, test } from "vitest";
import { recordContract } from "./record-contract.ts";

const never = (): Promise<never> => new Promise(() => {});
const row = (id: string, run: () => Promise<void>) => ({ id, title: id, run });
const passing = row("passes", async () => {});

test("notes what becomes of each row", async () => {
  const failing = row("fails", async () => {
    throw new Error("not\nequal");
  });
  const subject = { capabilities: {}, setUp: () => ({}) };
  const outcomes = await recordContract([passing, failing, row("unasked", never)], subject, (id) =>
    id === "unasked" ? "no such thing" : undefined,
  );
  expect(outcomes).toEqual({ passes: "pass", fails: "fail: not equal", unasked: "absent: no such thing" });
});

test.each([
  ["a row", [row("waits", never)], {}],
  ["what tidies up after it", [row("waits", async () => {})], { tearDown: never }],
])("names %s that does not end, and waits no longer", async (_, rows, more) => {
  const subject = { capabilities: {}, setUp: () => ({}), ...more };
  const recorded = recordContract([...rows, passing], subject, undefined, 20);
  await expect(recorded).rejects.toThrow("waits has not ended within 20 ms");
});
