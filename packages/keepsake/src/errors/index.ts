export { type ErrorCode, errorCodes } from "./codes.ts";
export { KeepsakeError, type KeepsakeErrorOptions } from "./keepsake-error.ts";
