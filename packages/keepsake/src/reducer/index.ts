export type { IdentifyContext, ReducerConfig, ReducerEvent, SummarizeContext } from "./config.ts";
export { contentIds } from "./content-ids.ts";
export {
  type HandOverInput,
  type LangGraphReducerOptions,
  MessageReducer,
  type ReduceInput,
  type ReducerResult,
} from "./message-reducer.ts";
