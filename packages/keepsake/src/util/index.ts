export { type Bell, createBell } from "./bell.ts";
export { canonicalJson } from "./canonical-json.ts";
export {
  checkOptions,
  hint,
  isBoolean,
  isCount,
  isFunction,
  isLogger,
  isOneOf,
  type OptionKind,
} from "./check-options.ts";
export { deleteOldest } from "./delete-oldest.ts";
export { didYouMean } from "./did-you-mean.ts";
export { warnAtExit } from "./exit-warning.ts";
export { harmless } from "./harmless.ts";
export { hash128 } from "./hash.ts";
export { callSafely, safeLogger } from "./safely.ts";
export { isObject, isPlainObject, isRecord, isThenable } from "./shapes.ts";
export type { Awaitable, Json, Logger } from "./types.ts";
export { untilAborted } from "./until-aborted.ts";
