// What is exported here is public API as `keepsake/sqlite`.
export type { Synchronous } from "./sqlite-backend.ts";
export type { SqliteDriver, SqliteDriverName } from "./sqlite-driver.ts";
export { SqliteOutbox, type SqliteOutboxConfig } from "./sqlite-outbox.ts";
export { SqliteStore, type SqliteStoreConfig } from "./sqlite-store.ts";
