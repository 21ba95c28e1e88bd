/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** What JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Where keepsake writes what a developer should see; `console` fits. */
export interface Logger {
  debug(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
}
