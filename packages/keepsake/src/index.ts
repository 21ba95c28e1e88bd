// Adding a name here makes it public API.
export {
  type BackgroundHook,
  type BackgroundOptions,
  background,
  type DeadLetter,
  type Deadline,
  type DeliveryEvent,
  type DeliveryQuery,
  type DeliveryRecord,
  type DrainResult,
  type DurableEvent,
  type DurableHook,
  type DurableOptions,
  durable,
  type HookContext,
  InMemoryOutbox,
  type InMemoryOutboxOptions,
  type KeepsakeEvent,
  type LeasedDelivery,
  type MessageCodec,
  type NewDelivery,
  type NewMessage,
  notTaken,
  type Outbox,
  type OutboxStats,
  type RememberFn,
  type Retry,
} from "./delivery/index.ts";
export { type ErrorCode, KeepsakeError, type KeepsakeErrorOptions } from "./errors/index.ts";
export {
  type EstimateOptions,
  estimateTokens,
  type MediaTokens,
  type MessageRole,
  type MessageView,
  viewOf,
} from "./message/index.ts";
export {
  contentIds,
  type HandOverInput,
  type IdentifyContext,
  type LangGraphReducerOptions,
  MessageReducer,
  type ReduceInput,
  type ReducerConfig,
  type ReducerEvent,
  type ReducerResult,
  type SummarizeContext,
} from "./reducer/index.ts";
export type { Awaitable, Json, Logger } from "./util/index.ts";
export {
  type ValidateWindowOptions,
  validateWindow,
  type WindowProvider,
  type WindowRule,
  type WindowViolation,
} from "./window/index.ts";
