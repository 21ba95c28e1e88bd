import { KeepsakeError } from "../errors/index.ts";
import type { Awaitable } from "../util/index.ts";
import type { BackendSession, StoreBackend, TermsOf } from "./backend.ts";

/** Runs a session. Opens the backend first, if need be. Rejects with the signal's reason where it is aborted before the session begins. */
export type RunSession = <T>(
  mode: "read" | "write",
  work: (session: BackendSession) => Awaitable<T>,
  signal?: AbortSignal,
) => Promise<T>;

/** Runs sessions of one backend. */
export interface Runtime {
  run: RunSession;
  /** Work of several sessions, with pauses between them. Closing waits for all of it. */
  enter<T>(work: (run: RunSession) => Promise<T>): Promise<T>;
  /** Lets the backend tidy up. */
  maintain(): Promise<void>;
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

  const execute: RunSession = async (mode, work, signal) => {
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

  const enter: Runtime["enter"] = async (work) => {
    if (closing !== undefined) {
      throw new KeepsakeError("closed", "The store is closed; make a new one to go on.");
    }
    const promise = work(execute);
    running.add(promise);
    try {
      return await promise;
    } finally {
      running.delete(promise);
    }
  };

  return {
    run: (mode, work, signal) => enter((run) => run(mode, work, signal)),
    enter,
    maintain: () =>
      enter(async () => {
        await open();
        await backend.maintain?.();
      }),
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
