export { type BackgroundHook, type BackgroundOptions, background } from "./background.ts";
export { createDeliverer } from "./deliverer.ts";
export { notTaken } from "./not-taken.ts";
export type {
  Deliverer,
  DelivererConfig,
  DeliveryEvent,
  DeliveryOutcome,
  HookContext,
  KeepsakeEvent,
  RememberFn,
  Scope,
} from "./types.ts";
