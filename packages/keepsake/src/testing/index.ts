// What is exported here is public API as `keepsake/testing`.
export { type ContractRow, type ContractRunner, type ContractSubject, runContract } from "./contract.ts";
export type { StoreContractContext, StoreContractRow } from "./store/context.ts";
export { storeContract } from "./store-contract.ts";
