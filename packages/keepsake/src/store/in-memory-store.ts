import { checkOptions, isFunction, isLogger, type OptionKind } from "../util/index.ts";
import { BackedStore, type StoreConfig } from "./backed-store.ts";
import { createInMemoryBackend } from "./in-memory-backend.ts";

const kinds: Readonly<Record<string, OptionKind>> = {
  index: ["an object", (value) => typeof value === "object"],
  now: isFunction,
  logger: isLogger,
};

/**
 * A {@link Store} in the process's memory, for tests and small programs: everything that the others can do, nothing is kept when the
 * process ends.
 *
 * @example
 * ```ts
 * const store = new InMemoryStore({ index: { fields: ["content"] } });
 * await store.put(["memories", "asha"], "1", { content: "Prefers a window seat" });
 * await store.search(["memories"], { query: "which seat?" });
 * ```
 */
export class InMemoryStore extends BackedStore {
  /** @throws {KeepsakeError} `invalid_config`, `unsupported` */
  constructor(config: StoreConfig = {}) {
    checkOptions("An InMemoryStore", config, kinds);
    super(createInMemoryBackend(), config);
  }
}
