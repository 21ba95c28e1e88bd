export type { BatchEvent, EngineStats, MemoryChange, MemoryEvent } from "./events.ts";
export { MemoryEngine } from "./memory-engine.ts";
export type {
  ChangeAction,
  EngineConfig,
  Erasable,
  EraseOptions,
  ForgetOptions,
  HistoryEntry,
  ListOptions,
  MemoryEngineOptions,
  RememberOptions,
  UpdateOptions,
} from "./types.ts";
