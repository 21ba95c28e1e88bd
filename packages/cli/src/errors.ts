import { KeepsakeError } from "keepsake";

/** What a {@link CliError} can be about; the exit code follows from it. */
export type CliErrorCode =
  | "usage"
  | "missing_file"
  | "unreadable_file"
  | "malformed_conversation"
  | "missing_database"
  | "invalid_database"
  | "missing_delivery"
  | "unfit_delivery"
  | "check_failed";

/** A mistake that the command line itself finds: a code for programs, a sentence for people. */
export class CliError extends Error {
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "CliError";
    this.code = code;
  }
}

/** An error as it is shown: exit code 1 for data and surroundings, 2 for the way the command was called. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly exitCode: 1 | 2;
}

/** Codes of the library that can only come from what stands on the command line. */
const usageCodes: ReadonlySet<string> = new Set([
  "usage",
  "invalid_config",
  "invalid_filter",
  "invalid_namespace",
]);

/** What to show of an error: never a stack trace. */
export function shownError(error: unknown): ShownError {
  if (error instanceof CliError || KeepsakeError.isInstance(error)) {
    return { code: error.code, message: error.message, exitCode: usageCodes.has(error.code) ? 2 : 1 };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "unexpected",
    message: message === "" ? "something failed without a message" : message,
    exitCode: 1,
  };
}
