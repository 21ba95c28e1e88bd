import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import { asha, kit } from "./engine-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "keepsake-erased-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("leaves no text in the file of a SqliteStore once that was maintained", async () => {
  const store = new SqliteStore(join(folder, "memories.db"));
  const { engine } = kit({ store });
  const holdsText = (): boolean =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes("zx81quokka"));
  const [record] = await engine.remember("Asha has a zx81quokka", asha, { deliveryId: "d1" });
  await engine.update(asha, record?.key ?? "", "Asha had a zx81quokka");
  expect(holdsText()).toBe(true);
  await engine.erase(asha);
  await store.maintain();
  expect(holdsText()).toBe(false);
  await store.close();
});

it("takes the times of memories and versions from the store's clock, and of forgetting from the engine's", async () => {
  const [stored, engines] = [Date.parse("2026-01-01T00:00:00Z"), Date.parse("2026-02-01T00:00:00Z")];
  const store = new SqliteStore(":memory:", { now: () => stored });
  const { engine } = kit({ store, now: () => engines });
  const [record] = await engine.remember("Asha likes tea", asha);
  expect([record?.createdAt, record?.updatedAt].map(Number)).toEqual([stored, stored]);
  await engine.forget(asha, { key: record?.key });
  const history = await engine.history(asha, record?.key ?? "");
  expect(history.map(({ at }) => at.getTime()).sort()).toEqual([stored, engines]);
  await store.close();
});
