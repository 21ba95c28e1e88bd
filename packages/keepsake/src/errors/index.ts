export type { ErrorCode } from "./codes.ts";
export { KeepsakeError, type KeepsakeErrorOptions } from "./keepsake-error.ts";
