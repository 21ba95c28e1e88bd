/** Every code that a {@link KeepsakeError} can carry: stable, so that callers can match on it. */
export type ErrorCode =
  | "async_in_sync"
  | "batch_failed"
  | "closed"
  | "database_failed"
  | "hook_timeout"
  | "invalid_config"
  | "invalid_filter"
  | "invalid_input"
  | "invalid_key"
  | "invalid_namespace"
  | "invalid_value"
  | "missing_dependency"
  | "unsupported"
  | "unsupported_format";
