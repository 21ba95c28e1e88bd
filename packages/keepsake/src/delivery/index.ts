export { callWithin } from "./attempt.ts";
export { type BackgroundHook, background } from "./background.ts";
export type { BackgroundOptions } from "./background-options.ts";
export { createDeliverer } from "./deliverer.ts";
export { identityOf } from "./delivery.ts";
export { deliveryIdOf } from "./delivery-id.ts";
export { durabilityOf } from "./durability.ts";
export { type DurableHook, durable } from "./durable.ts";
export type { DurableEvent, DurableOptions } from "./durable-options.ts";
export { InMemoryOutbox, type InMemoryOutboxOptions } from "./in-memory-outbox.ts";
export { type MessageCodec, messageJson } from "./message-json.ts";
export { scopeRef } from "./namespace-ref.ts";
export { notTaken } from "./not-taken.ts";
export { redactedBy } from "./offer.ts";
export {
  type DeadLetter,
  type DeliveryQuery,
  type DeliveryRecord,
  defaultRetainMs,
  type ErasedNamespaces,
  erasedNamespaces,
  type LeasedDelivery,
  type NewDelivery,
  type NewMessage,
  namespaceText,
  type Outbox,
  type OutboxStats,
  type Retry,
} from "./outbox.ts";
export { createReporter } from "./reporter.ts";
export type {
  Deliverer,
  DelivererConfig,
  DeliveryEvent,
  DeliveryOutcome,
  HookContext,
  IdAt,
  KeepsakeEvent,
  RememberFn,
  Reporter,
  Scope,
} from "./types.ts";
export type { Deadline, DrainResult } from "./worker.ts";
