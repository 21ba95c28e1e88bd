// What is exported here is public API as `keepsake/testing`.
export { type ContractRow, type ContractRunner, type ContractSubject, runContract } from "./contract.ts";
export { type HashingEmbedder, hashingEmbedder } from "./hashing-embedder.ts";
export type {
  OutboxCapability,
  OutboxContractConfig,
  OutboxContractContext,
  OutboxContractRow,
} from "./outbox/context.ts";
export { outboxContract } from "./outbox-contract.ts";
export {
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from "./scripted-model.ts";
export type { StoreContractConfig, StoreContractContext, StoreContractRow } from "./store/context.ts";
export { type ContractJob, type ContractProcess, runContractJob } from "./store/jobs.ts";
export { storeContract } from "./store-contract.ts";
