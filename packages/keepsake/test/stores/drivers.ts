import { createRequire } from "node:module";
import type { SqliteDriverName } from "../../src/stores/sqlite/index.ts";

const require = createRequire(import.meta.url);

/** The drivers to test, with the reason where one cannot be loaded here. */
export const drivers: readonly { readonly name: SqliteDriverName; readonly missing: string | undefined }[] = (
  ["node:sqlite", "better-sqlite3", "libsql"] as const
).map((name) => ({ name, missing: whyMissing(name) }));

function whyMissing(name: SqliteDriverName): string | undefined {
  try {
    const module = require(name);
    // Native code is loaded with the first database.
    new (module.DatabaseSync ?? module)(":memory:").close();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return `${name} does not work on Node ${process.version}: ${reason}`;
  }
}
