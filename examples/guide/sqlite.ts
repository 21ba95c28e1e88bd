// A file is written, closed and opened again.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "keepsake-sqlite-"));
const path = join(folder, "memory.db");

// #region open
import { SqliteStore } from "keepsake/sqlite";

const store = new SqliteStore(path, { index: { fields: ["content"] } });
await store.put(["memories", "asha"], "seat", { content: "Asha prefers a window seat" });
await store.close();
// #endregion

const again = new SqliteStore(path);
const [found] = await again.search(["memories", "asha"], { query: "windows" });
assert.equal(found?.key, "seat");
await again.close();
rmSync(folder, { recursive: true });
