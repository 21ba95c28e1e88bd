import { describe, expect, test } from "vitest";
import type { BackendSession, StoreBackend } from "../../src/store/index.ts";
import { createRuntime } from "../../src/store/runtime.ts";

/** A backend whose opening and sessions are observed. */
function observed(open: () => Promise<void>): StoreBackend & { log: string[] } {
  const log: string[] = [];
  return {
    log,
    capabilities: { keyword: false, vector: false, ttl: false, atomicBatch: false },
    open: async () => {
      log.push("open");
      await open();
    },
    session: async (mode, now, work) => {
      log.push(`${mode} at ${now}`);
      return work({ now } as BackendSession);
    },
    close: () => {
      log.push("close");
    },
  };
}

const start = (backend: StoreBackend) =>
  createRuntime(
    backend,
    () => undefined,
    () => 7,
  );

describe("the runtime of a store", () => {
  test("opens once, on the first use, however many come together", async () => {
    const backend = observed(() => Promise.resolve());
    const runtime = start(backend);
    expect(backend.log).toEqual([]);
    await Promise.all([runtime.run("read", () => 1), runtime.run("write", () => 2)]);
    expect(backend.log).toEqual(["open", "read at 7", "write at 7"]);
  });

  test("opens again after a failure, and all who waited are told", async () => {
    let attempts = 0;
    const backend = observed(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("not yet");
    });
    const runtime = start(backend);
    const results = await Promise.allSettled([runtime.run("read", () => 1), runtime.run("read", () => 2)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await runtime.run("read", () => 3)).toBe(3);
    expect(attempts).toBe(2);
  });

  test("closing waits for what runs, happens once, and is final", async () => {
    const backend = observed(() => Promise.resolve());
    const runtime = start(backend);
    const slow = runtime.run("read", async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      backend.log.push("done");
    });
    await Promise.all([runtime.close(), runtime.close(), slow]);
    expect(backend.log).toEqual(["open", "read at 7", "done", "close"]);
    await expect(runtime.run("read", () => 1)).rejects.toMatchObject({ code: "closed" });
  });

  test("a backend that was never opened, or could not be, is not closed", async () => {
    const unused = observed(() => Promise.resolve());
    await start(unused).close();
    expect(unused.log).toEqual([]);
    const broken = observed(() => Promise.reject(new Error("no")));
    const runtime = start(broken);
    await expect(runtime.run("read", () => 1)).rejects.toThrow("no");
    await runtime.close();
    expect(broken.log).toEqual(["open"]);
  });

  test("a signal that is aborted while the backend opens stops the work", async () => {
    const controller = new AbortController();
    const backend = observed(async () => controller.abort(new Error("enough")));
    await expect(start(backend).run("read", () => 1, controller.signal)).rejects.toThrow("enough");
    expect(backend.log).toEqual(["open"]);
  });
});
