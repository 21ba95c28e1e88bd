import type { ErrorCode } from "./codes.ts";

const brand: unique symbol = Symbol.for("keepsake.error") as never;

/** What a {@link KeepsakeError} carries beside its message. */
export interface KeepsakeErrorOptions {
  /** The error that this one explains. */
  readonly cause?: unknown;
  /** The values that the message speaks of, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * The one error class of keepsake: a stable `code`, and a message that says what was wrong, which value, and what to do.
 *
 * Two copies of keepsake in one process recognise each other's errors through {@link KeepsakeError.isInstance};
 * `instanceof` works as well.
 *
 * @example
 * ```ts
 * try {
 *   new MessageReducer({ minMessages: 30 });
 * } catch (error) {
 *   if (KeepsakeError.isInstance(error)) console.error(error.code); // "invalid_config"
 * }
 * ```
 */
export class KeepsakeError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: KeepsakeErrorOptions = {}) {
    super(message, options);
    this.name = "KeepsakeError";
    this.code = code;
    this.data = options.data ?? {};
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for a KeepsakeError of this or any other copy of keepsake. */
  static isInstance(error: unknown): error is KeepsakeError {
    return Object(error)[brand] === true;
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return KeepsakeError.isInstance(error);
  }
}
