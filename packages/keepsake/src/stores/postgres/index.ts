// What is exported here is public API as `keepsake/postgres`.
export type { PostgresClient, PostgresPool } from "./postgres-driver.ts";
export { PostgresOutbox, type PostgresOutboxConfig } from "./postgres-outbox.ts";
export { PostgresStore, type PostgresStoreConfig } from "./postgres-store.ts";
