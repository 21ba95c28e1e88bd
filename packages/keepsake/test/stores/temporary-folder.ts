import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder that is removed when the tests of the file have ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "keepsake-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
