import { KeepsakeError } from "../../errors/index.ts";
import {
  isHostStore,
  type NamespaceTemplate,
  namespaceTemplate,
  placeholderValues,
  underlyingStore,
} from "../../store/index.ts";
import {
  type Awaitable,
  checkOptions,
  isCount,
  isLogger,
  isObject,
  type Logger,
  type OptionKind,
  safeLogger,
  warnAtExit,
} from "../../util/index.ts";
import type { ManagerConfig } from "../manager/open-run.ts";
import { createDebouncer, type ReflectionTimers, type Submission } from "./debouncer.ts";
import { mergeMessages } from "./merge-messages.ts";

/** What is reflected upon: messages, and what else the reflector takes. */
export interface ReflectionPayload {
  readonly messages: readonly unknown[];
  readonly [name: string]: unknown;
}

/** What reflects: a manager with a store, or a function. */
export type Reflector<Result> =
  | ReflectorFunction<Result>
  | { readonly invoke: ReflectorFunction<Result>; readonly namespace?: readonly string[] | undefined };

/** Is called with the merged payload and the newest config. */
export type ReflectorFunction<Result> = (
  payload: ReflectionPayload,
  config: ManagerConfig,
) => Awaitable<Result>;

/** How {@link reflect} works. */
export interface ReflectOptions {
  /** Whose work it is: what is submitted for one namespace and thread is merged. Default: the reflector's namespace. */
  readonly namespace?: string | readonly string[];
  /** Milliseconds of quiet before the work is done. Default 0. */
  readonly afterMs?: number;
  /** Namespaces and threads that are worked on at once. Default 2. */
  readonly concurrency?: number;
  /** Handed to the reflector as `config.store`, in place of the store of the call's config. */
  readonly store?: unknown;
  /** Where failed work is warned about. Default `console`. */
  readonly logger?: Logger;
  /** Default `setTimeout` and `clearTimeout`. */
  readonly timers?: ReflectionTimers;
}

/** How one payload is submitted. */
export interface SubmitOptions {
  /** The config of the run, for namespace and store; they are read at once and kept. */
  readonly config?: ManagerConfig | undefined;
  /** In place of the default. */
  readonly afterMs?: number | undefined;
  /** Default `config.configurable.thread_id`; null: merged with nothing. */
  readonly threadId?: string | null | undefined;
}

/** Work that is done in the background. */
export interface Reflection<Result> {
  /** @throws {KeepsakeError} `missing_namespace_value`, `invalid_input`, `closed` */
  submit(payload: ReflectionPayload, options?: SubmitOptions): Submission<Result>;
  /** Namespaces and threads whose work waits or runs. */
  readonly pending: number;
  /** Does what waits now, and resolves when nothing waits or runs. */
  flush(): Promise<void>;
  /** Takes no more. `drain` (default true): what waits is done first; else it is cancelled. Cancelled work is never done. */
  close(options?: { readonly drain?: boolean }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const maxDelayMs = 2 ** 31 - 1;
const isDelay: OptionKind = [
  `milliseconds from 0 to ${maxDelayMs}`,
  (value) => typeof value === "number" && value >= 0 && value <= maxDelayMs,
];

const kinds: Readonly<Record<keyof ReflectOptions, OptionKind>> = {
  namespace: [
    "a string or an array of strings",
    (value) => typeof value === "string" || Array.isArray(value),
  ],
  afterMs: isDelay,
  concurrency: isCount(1),
  store: ["a store with get, put, delete and search", isHostStore],
  logger: isLogger,
  timers: [
    "an object with the functions set and clear",
    (value) => [Object(value).set, Object(value).clear].every((member) => typeof member === "function"),
  ],
};

const submitKinds: Readonly<Record<keyof SubmitOptions, OptionKind>> = {
  config: ["an object", isObject],
  afterMs: isDelay,
  threadId: ["a string or null", (value) => typeof value === "string" || value === null],
};

const systemTimers: ReflectionTimers = {
  set: (run, delayMs) => setTimeout(run, delayMs),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

interface Entry {
  readonly payload: ReflectionPayload;
  readonly config: ManagerConfig;
}

/**
 * Reflects upon conversations in the background, once they have been quiet for a while: payloads of one namespace and thread are merged, and
 * one namespace and thread is worked on once at a time. What waits is in memory only, and keeps the process alive; before
 * `process.exit()` call `await reflection.close()`.
 *
 * @throws {KeepsakeError} `invalid_config`
 * @example
 * ```ts
 * const reflection = reflect(manager, { afterMs: 30_000 });
 * reflection.submit({ messages }, { config }); // after each turn
 * ```
 */
export function reflect<Result>(
  reflector: Reflector<Result>,
  options: ReflectOptions = {},
): Reflection<Result> {
  checkOptions("reflect", options, kinds);
  const { invoke, template } = readReflector(reflector, options.namespace);
  const { afterMs = 0, concurrency = 2, timers = systemTimers } = options;
  const logger = safeLogger(options.logger ?? console);
  const watchExit = exitWatch(logger);
  const lineOf = createLineNames(template);
  let isClosed = false;
  const debouncer = createDebouncer<Entry, Result>({
    ...{ concurrency, timers, onChange: watchExit },
    run: (entries) => {
      const { payload, config } = mergedEntry(entries);
      return invoke(payload, config);
    },
    onFailure: (error) => logger.warn("keepsake: a reflection failed.", error),
  });

  function submit(payload: ReflectionPayload, given: SubmitOptions = {}): Submission<Result> {
    if (isClosed) throw new KeepsakeError("closed", "This reflection is closed and takes no more payloads.");
    if (!Array.isArray(Object(payload).messages)) {
      throw new KeepsakeError("invalid_input", "A reflection is given { messages }: a list of messages.");
    }
    checkOptions("submit", given, submitKinds);
    const config = keptConfig(given.config ?? {}, options.store);
    const entry = { payload: { ...payload, messages: [...payload.messages] }, config };
    return debouncer.add(lineOf(config, given.threadId), entry, given.afterMs ?? afterMs);
  }

  async function close({ drain = true }: { readonly drain?: boolean } = {}): Promise<void> {
    isClosed = true;
    if (!drain) debouncer.discard();
    await debouncer.flush();
  }

  return {
    submit,
    get pending() {
      return debouncer.pending();
    },
    flush: debouncer.flush,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

interface ReadReflector<Result> {
  readonly invoke: ReflectorFunction<Result>;
  readonly template: NamespaceTemplate;
}

function readReflector<Result>(
  reflector: Reflector<Result>,
  given: string | readonly string[] | undefined,
): ReadReflector<Result> {
  const isManager = isObject(reflector) && "invoke" in reflector && typeof reflector.invoke === "function";
  if (!isManager && typeof reflector !== "function") {
    throw new KeepsakeError(
      "invalid_config",
      "reflect: the reflector must be a manager with a store, or a function.",
    );
  }
  const invoke: ReflectorFunction<Result> =
    "invoke" in reflector ? (payload, config) => reflector.invoke(payload, config) : reflector;
  const namespace = given ?? ("namespace" in reflector ? reflector.namespace : undefined);
  if (namespace !== undefined) return { invoke, template: namespaceTemplate(namespace) };
  throw new KeepsakeError(
    "invalid_config",
    'reflect: the reflector has no namespace, by which the work of users is told apart. Pass { namespace: ["memories", "{userId}"] }.',
  );
}

/** Names the line of a payload: namespace, store and thread. */
function createLineNames(
  template: NamespaceTemplate,
): (config: ManagerConfig, threadId: string | null | undefined) => string {
  const storeIds = new WeakMap<object, number>();
  let stores = 0;
  let single = 0;
  return (config, threadId) => {
    const namespace = template.fill(placeholderValues(config));
    const { store } = config;
    if (isObject(store) && !storeIds.has(store)) {
      stores += 1;
      storeIds.set(store, stores);
    }
    const storeId = isObject(store) ? storeIds.get(store) : 0;
    if (threadId === null) single += 1;
    const thread = threadId === null ? { single } : (threadId ?? threadOf(config));
    return JSON.stringify([namespace, storeId, thread ?? null]);
  };
}

function threadOf({ configurable }: ManagerConfig): string | undefined {
  const { thread_id: threadId } = Object(configurable);
  return typeof threadId === "string" || typeof threadId === "number" ? String(threadId) : undefined;
}

/** What outlives the run that a payload was submitted in: its signal does not, nor a wrapper around its store. */
function keptConfig(
  { configurable, context, store, deliveryId }: ManagerConfig,
  own: unknown,
): ManagerConfig {
  return {
    ...{ configurable: { ...Object(configurable) }, context, store: underlyingStore(own ?? store) },
    ...(deliveryId === undefined ? {} : { deliveryId }),
  };
}

/** The messages of all, and what else the newest says. Several deliveries are none of them. */
function mergedEntry(entries: readonly Entry[]): Entry {
  const [first, ...rest] = entries;
  if (first === undefined) return { payload: { messages: [] }, config: {} };
  return rest.reduce((merged, { payload, config: { deliveryId: _deliveryId, ...config } }) => {
    const messages = mergeMessages(merged.payload.messages, payload.messages);
    return { payload: { ...merged.payload, ...payload, messages }, config };
  }, first);
}

/** Warns where the process exits with work that was not done. */
function exitWatch(logger: Logger): (pending: number) => void {
  let pending = 0;
  let forget: (() => void) | undefined;
  const warn = (): void =>
    logger.warn(`keepsake: exiting with ${pending} reflections pending. Await close() first.`);
  return (count) => {
    pending = count;
    if (count > 0) forget ??= warnAtExit(warn);
    if (count > 0) return;
    forget?.();
    forget = undefined;
  };
}
