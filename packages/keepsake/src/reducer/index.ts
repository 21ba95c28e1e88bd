export type { ReducerConfig, ReducerEvent, SummarizeContext } from "./config.ts";
export {
  type HandOverInput,
  type LangGraphReducerOptions,
  MessageReducer,
  type ReduceInput,
  type ReducerResult,
} from "./message-reducer.ts";
