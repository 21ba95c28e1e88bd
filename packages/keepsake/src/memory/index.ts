export {
  type BatchEvent,
  type ChangeAction,
  type EngineConfig,
  type EngineStats,
  type Erasable,
  type EraseOptions,
  type ForgetOptions,
  type HistoryEntry,
  type ListOptions,
  type MemoryChange,
  MemoryEngine,
  type MemoryEngineOptions,
  type MemoryEvent,
  type RememberOptions,
  type UpdateOptions,
} from "./engine/index.ts";
export type { MemorySchemas } from "./extract/fact-schema.ts";
export { type ModelExtractorOptions, modelExtractor } from "./extract/model-extractor.ts";
export { transcriptOf } from "./extract/transcript.ts";
export { type ModelConsolidatorOptions, modelConsolidator } from "./judge/model-consolidator.ts";
export type { ExistingMemory, ManagedMemory } from "./manager/existing.ts";
export type { ManageProblem } from "./manager/manage.ts";
export {
  createMemoryManager,
  type ManagerEvent,
  type ManagerInput,
  type ManagerRun,
  type MemoryManager,
  type MemoryManagerOptions,
} from "./manager/memory-manager.ts";
export {
  createMemorySearcher,
  type MemorySearcher,
  type MemorySearcherOptions,
} from "./manager/memory-searcher.ts";
export type { ManagerConfig } from "./manager/open-run.ts";
export {
  createMemoryStoreManager,
  type MemoryStoreManager,
  type MemoryStoreManagerOptions,
} from "./manager/store-manager.ts";
export type { MemoryQuery } from "./manager/store-proxies.ts";
export type { MemoryPhase, MemoryPut, StoreManagerResult } from "./manager/store-run.ts";
export type {
  ChatModelLike,
  ClientModel,
  LanguageModelCalls,
  LanguageModelLike,
  ModelFunction,
  ModelInput,
} from "./models/inputs.ts";
export { memoryModel } from "./models/memory-model.ts";
export type { ModelCall } from "./models/model-call.ts";
export type { MemoryModel, ModelAnswer, ModelRequest } from "./models/types.ts";
export { defaultPrompts, type Prompts, promptVersion } from "./prompts.ts";
export type { ContextOptions, RecallMatch, RecallOptions, RecallReason } from "./recall/types.ts";
export type { ReflectionTimers, Submission } from "./reflect/debouncer.ts";
export {
  type Reflection,
  type ReflectionPayload,
  type ReflectOptions,
  type Reflector,
  type ReflectorFunction,
  reflect,
  type SubmitOptions,
} from "./reflect/reflect.ts";
export { type RenderOptions, renderMemories } from "./render/render-memories.ts";
export type { MemorySchemasInput } from "./schemas.ts";
export type {
  Consolidator,
  Decision,
  Extractor,
  Fact,
  MemoryRecord,
  MemoryValue,
  ModelContext,
  Proposal,
  TranscriptMessage,
  TurnValue,
} from "./types.ts";
export { rememberVerbatim, type VerbatimOptions } from "./verbatim/remember-verbatim.ts";
export { turnIndex } from "./verbatim/turn-index.ts";
