import { KeepsakeError } from "../errors/index.ts";
import type { Awaitable } from "../util/index.ts";
import type { BackendSession, StoreBackend, TermsOf } from "./backend.ts";

/** Runs sessions of one backend. */
export interface Runtime {
  /** Opens the backend first, if need be. Rejects with the signal's reason where it is aborted before the session begins. */
  run<T>(
    mode: "read" | "write",
    work: (session: BackendSession) => Awaitable<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Waits for what runs, then closes the backend, once. */
  close(): Promise<void>;
}

/** Wraps a backend: opened once on first use (again after a failure), not at all after closing. */
export function createRuntime(backend: StoreBackend, termsOf: TermsOf, now: () => number): Runtime {
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();

  const open = (): Promise<void> => {
    opening ??= Promise.resolve()
      .then(() => backend.open(termsOf))
      .catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
    return opening;
  };

  const execute: Runtime["run"] = async (mode, work, signal) => {
    signal?.throwIfAborted();
    await open();
    signal?.throwIfAborted();
    try {
      return await backend.session(mode, now(), (session) => {
        signal?.throwIfAborted();
        return work(session);
      });
    } catch (error) {
      // A database may have wrapped the reason in an error of its own.
      signal?.throwIfAborted();
      throw error;
    }
  };

  const shutDown = async (): Promise<void> => {
    await Promise.allSettled(running);
    if (opening !== undefined) await backend.close();
  };

  return {
    run: async (mode, work, signal) => {
      if (closing !== undefined) {
        throw new KeepsakeError("closed", "The store is closed; make a new one to go on.");
      }
      const promise = execute(mode, work, signal);
      running.add(promise);
      try {
        return await promise;
      } finally {
        running.delete(promise);
      }
    },
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
