import {
  createDeliverer,
  createReporter,
  type Deliverer,
  durabilityOf,
  type IdAt,
  type Reporter,
  redactedBy,
  type Scope,
} from "../delivery/index.ts";
import { KeepsakeError } from "../errors/index.ts";
import { contentHashOf, estimateTokens, type MessageRecord, recordOf, viewOf } from "../message/index.ts";
import { hint, isRecord } from "../util/index.ts";
import { createSequences } from "../window/index.ts";
import type { ReducerConfig } from "./config.ts";
import { type Plan, planWindow, sizeOf, splitByPlan } from "./plan.ts";
import { type ResolvedConfig, resolveConfig } from "./resolve-config.ts";
import { createShortener, type ShownList } from "./shortener.ts";
import { createSummarizer, type Summarizer, type SummaryOutcome, type SummaryRequest } from "./summarizer.ts";

/** What {@link MessageReducer.reduce} reduces: lists of messages, and whose they are. */
export interface ReduceInput<M, N = string[], New = M> {
  /** The list so far; missing or `null`: empty. */
  readonly existing?: readonly M[] | null | undefined;
  /** What comes after it; missing or `null`: empty. */
  readonly new?: readonly New[] | null | undefined;
  /** Forwarded to the hooks untouched; `null` where there is none. */
  readonly namespace?: N | null | undefined;
  /** Tells apart the conversations of one namespace. */
  readonly threadId?: string | undefined;
  /** The summary to go on from, where the app keeps it; else the one in the list is used. */
  readonly previousSummary?: string | null | undefined;
  /** `false`: the hooks are left out, for a list that is reduced elsewhere as well. Default true. */
  readonly deliver?: boolean | undefined;
}

/** What {@link MessageReducer.handOver} hands over, and whose it is. */
export interface HandOverInput<M, N = string[]> {
  readonly messages: readonly M[] | null | undefined;
  readonly namespace?: N | null | undefined;
  readonly threadId?: string | undefined;
}

/** A reduced list. `surviving` and `pruned` are a partition of the input; a summary block and copies of truncated messages come on top. */
export interface ReducerResult<M> {
  /** The window: the messages that stay, the same objects in their order. */
  readonly surviving: M[];
  /** What left the window, in its order: never filtered by what was delivered before. */
  readonly pruned: M[];
  /** What stands in the window as a copy with its beginning and its end alone: these are in `pruned`, and handed over. */
  readonly truncated: M[];
  /** The summary of what left, the last one where nothing new did; `null` where there is none. */
  readonly summary: string | null;
  /** True where what must stay does not fit the limit. */
  readonly overBudget: boolean;
}

/** How a reducer is used as a LangGraph state annotation. */
export interface LangGraphReducerOptions<M, N> {
  /** How the two lists become one. Default: concatenation. */
  readonly merge?: (existing: M[], incoming: M[]) => M[];
  /** What the hooks are given: a state annotation sees no run config. Default `null`. */
  readonly namespace?: N;
  /** `false`: the hooks are left out, for a list that is reduced elsewhere as well. Default true. */
  readonly deliver?: boolean;
}

/**
 * Decides which messages of a conversation stay, and hands those that leave to hooks, once each.
 *
 * @throws {KeepsakeError} invalid_config
 * @example
 * ```ts
 * const reducer = new MessageReducer({ maxMessages: 20, minMessages: 10 });
 * const { surviving, pruned } = await reducer.reduce({ existing: messages, new: [{ role: "user", content: "Hello" }] });
 * ```
 */
export class MessageReducer<M = unknown, N = string[]> {
  /** The key that integrations look up in their per-call config or state. */
  readonly namespaceKey: string;
  readonly #config: ResolvedConfig<M, N>;
  readonly #reporter: Reporter;
  readonly #deliverer: Deliverer<M, N>;
  readonly #sequenceOf = createSequences();
  readonly #summarizer: Summarizer<M, N>;
  readonly #shorten: ((messages: readonly M[], absent: ReadonlySet<number>) => ShownList<M>) | undefined;

  constructor(config: ReducerConfig<M, N> = {}) {
    this.#config = resolveConfig(config);
    this.namespaceKey = this.#config.namespaceKey;
    const { logger, onEvent, now, maxMessageTokens } = this.#config;
    this.#reporter = createReporter(logger, onEvent && ((event) => onEvent({ ...event, at: now() })));
    const reporter = this.#reporter;
    this.#deliverer = createDeliverer({ ...this.#config, reporter });
    this.#summarizer = createSummarizer({ config: this.#config, reporter, sizeOf: this.#sizeOf });
    if (maxMessageTokens === undefined) return;
    const isPinned = (message: M): boolean => this.#pin?.(message) ?? false;
    this.#shorten = createShortener({ maxTokens: maxMessageTokens, tokensOf: this.#tokensOf, isPinned });
  }

  /**
   * Reduces a conversation to its window, hands over what leaves, and makes its summary. Never throws because of a list's content.
   *
   * @throws {KeepsakeError} invalid_input where a list is not an array, or the input has an unknown field
   */
  async reduce<T extends M = never, U extends M = never>(
    input: ReduceInput<T, N, U>,
  ): Promise<ReducerResult<T | U>>;
  async reduce(input: ReduceInput<M, N>): Promise<ReducerResult<M>> {
    const { idsOfLeaving, ...request } = this.#plan(input);
    const { plan, scope } = request;
    const { taken, committed } =
      input.deliver === false
        ? { taken: true, committed: true }
        : await this.#deliverer.deliver(plan.leaving, scope, idsOfLeaving);
    const mayLeave = this.#config.onHookError === "skip" ? committed : taken;
    const done = mayLeave ? plan : this.#retained(plan);
    return this.#result(done, scope, await this.#summarizer.summarize({ ...request, plan: done }));
  }

  /**
   * The same without awaiting: durable hooks commit at once; the others are started, one after another, and tracked:
   * {@link MessageReducer.flush} awaits them. A `summarize` that returns a promise is skipped with one warning. A hook that fails after this
   * has returned cannot hold its messages in the window.
   *
   * @throws {KeepsakeError} invalid_input where a list is not an array, or the input has an unknown field; async_in_sync where the
   * outbox of a durable hook cannot commit at once
   */
  reduceSync<T extends M = never, U extends M = never>(input: ReduceInput<T, N, U>): ReducerResult<T | U>;
  reduceSync(input: ReduceInput<M, N>): ReducerResult<M> {
    if (input?.deliver !== false) this.#refuseAsyncOutboxes();
    const { idsOfLeaving, ...request } = this.#plan(input);
    const { plan, scope } = request;
    const { committed } =
      input.deliver === false
        ? { committed: true }
        : this.#deliverer.deliverSync(plan.leaving, scope, idsOfLeaving);
    const done = committed ? plan : this.#retained(plan);
    return this.#result(done, scope, this.#summarizer.summarizeSync({ ...request, plan: done }));
  }

  /**
   * A synchronous `(existing, new) => messages` for a state annotation of LangGraph.
   *
   * @throws {KeepsakeError} async_in_sync where `summarize` is an async function, or the outbox of a durable hook cannot commit at once
   */
  asLangGraphReducer<T extends M = M>(
    options: LangGraphReducerOptions<T, N> = {},
  ): (existing: T[] | null | undefined, incoming: T[] | T | null | undefined) => T[] {
    const { summarize } = this.#config;
    if (summarize?.constructor.name === "AsyncFunction") {
      throw new KeepsakeError(
        "async_in_sync",
        "summarize must be synchronous here: a state annotation cannot wait.",
      );
    }
    const { merge = (existing: T[], incoming: T[]): T[] => [...existing, ...incoming] } = options;
    const { namespace = null, deliver = true } = options;
    if (deliver) this.#refuseAsyncOutboxes();
    return (existing, incoming) =>
      this.reduceSync({ existing: merge(listOf(existing), listOf(incoming)), namespace, deliver }).surviving;
  }

  /**
   * Delivers what has not been delivered yet without pruning it, for the end of a session. System messages are not handed over.
   *
   * @throws {KeepsakeError} invalid_input where `messages` is not an array, or the input has an unknown field; not_committed where a
   * durable hook could not keep some of the messages: nothing has them but the caller
   */
  async handOver<T extends M>(input: HandOverInput<T, N>): Promise<void>;
  async handOver(input: HandOverInput<M, N>): Promise<void> {
    checkInput("handOver", input, handOverFields);
    const messages = [...checkedList("messages", input.messages)];
    const scope = scopeOf(input);
    const inBlock = new Set(this.#summarizer.findBlocks(messages, scope).flatMap((block) => block.indices));
    const copies = this.#shorten?.(messages, inBlock).copies ?? new Set();
    const spoken = [...messages.keys()].filter((index) => {
      const record = recordOf(messages[index]);
      const isSilent = inBlock.has(index) || copies.has(index);
      return record !== undefined && record.view.role !== "system" && !isSilent;
    });
    const stuck = new Set(this.#unkept(spoken.map((index) => messages[index] as M)));
    const places = spoken.filter((index) => !stuck.has(messages[index] as M));
    const idAt = this.#idsIn(messages, { inBlock, copies }, scope);
    const { committed } = await this.#deliverer.deliver(
      places.map((index) => messages[index] as M),
      scope,
      (index) => idAt(places[index] as number),
    );
    if (!committed || stuck.size > 0) throw notCommitted(committed ? stuck.size : spoken.length);
  }

  /** Awaits the hooks that `reduceSync` started, and offers failed deliveries again. */
  async flush(): Promise<void> {
    await this.#deliverer.flush();
  }

  #plan(input: ReduceInput<M, N>): SummaryRequest<M, N> & { idsOfLeaving: IdAt | undefined } {
    checkInput("reduce", input, reduceFields);
    const messages = joined(checkedList("existing", input.existing), checkedList("new", input.new));
    const scope = scopeOf(input);
    const { identify } = this.#config;
    const plan = this.#choose(messages, scope, input.deliver !== false);
    if (plan.isUnreadable) {
      this.#reporter.warnOnce("unreadable", "messages that cannot be read were pruned.");
    }
    const latest = messages.findLastIndex((message) => viewOf(message).startsTurn);
    if (plan.keep[latest] === 0 && viewOf(messages[latest]).results.length > 0) {
      const advice = "Pass the words as a message of their own.";
      this.#reporter.warnOnce(
        "words",
        `the latest user's words left with the broken results beside them. ${advice}`,
      );
    }
    const idAt = this.#idsIn(messages, plan, scope);
    const request = { plan, scope, idAt, previousSummary: input.previousSummary };
    if (identify === undefined) return { ...request, idsOfLeaving: undefined };
    const places = plan.leavingAt();
    return { ...request, idsOfLeaving: (index) => idAt(places[index] as number) };
  }

  /** Chooses the window. What a durable hook cannot keep must not leave, nor what belongs to it; the others go. */
  #choose(messages: readonly M[], scope: Scope<N>, delivers: boolean): Plan<M> {
    const { injectSummary } = this.#config;
    const stuck = new Set<M>();
    for (;;) {
      const plan = planWindow(messages, {
        window: this.#config,
        pin: this.#pin,
        stuck,
        sequenceOf: this.#sequenceOf,
        tokensOf: this.#tokensOf,
        findBlocks: injectSummary ? (list) => this.#summarizer.findBlocks(list, scope) : undefined,
        shorten: this.#shorten,
        reservedSize: (list, current) => this.#summarizer.reservedSize(list, current),
      });
      const known = stuck.size;
      for (const message of delivers ? this.#unkept(plan.leaving) : []) stuck.add(message);
      if (stuck.size === known) return plan;
    }
  }

  /** The messages that a durable hook could not keep, as it would get them. */
  #unkept(messages: readonly M[]): M[] {
    const { onPrune, redact } = this.#config;
    const durabilities = onPrune.flatMap((hook) => durabilityOf(hook) ?? []);
    if (durabilities.length === 0) return [];
    return messages.filter((message) => {
      try {
        const handed = redactedBy(redact, message);
        for (const { problemOf } of durabilities) {
          const problem = problemOf(handed as never);
          if (problem !== undefined) throw problem;
        }
        return false;
      } catch (problem) {
        const topic = `unkept ${contentHashOf(message)}${viewOf(message).id ?? ""}`;
        this.#reporter.warnOnce(topic, "a message stays in the window: no hook may lose it.", problem);
        return true;
      }
    });
  }

  #result(plan: Plan<M>, scope: Scope<N>, { summary, block, place }: SummaryOutcome<M>): ReducerResult<M> {
    const { surviving, pruned, truncated } = splitByPlan(plan, block, place);
    const size = plan.size + this.#sizeOf(block);
    const overBudget = size > plan.limit;
    const { emit } = this.#reporter;
    if (pruned.length > 0) emit({ type: "pruned", count: pruned.length, ...scope });
    if (truncated.length > 0) emit({ type: "truncated", count: truncated.length, ...scope });
    if (overBudget) {
      const tokens = this.#config.maxTokens === undefined ? undefined : size;
      emit({ type: "over_budget", messages: surviving.length, tokens, ...scope });
    }
    return { surviving, pruned, truncated, summary, overBudget };
  }

  /** A failed hand-over keeps the messages, as they came: only what cannot be read leaves. */
  #retained(plan: Plan<M>): Plan<M> {
    const { input, inBlock } = plan;
    const keep = plan.keep.map((_, index) => (inBlock.has(index) || !recordOf(input[index]) ? 0 : 1));
    const size = this.#sizeOf(input.filter((_, index) => keep[index] === 1));
    return { ...plan, messages: input, keep, leaving: [], leavingAt: () => [], size };
  }

  get #pin(): ((message: M) => boolean) | undefined {
    const { pin } = this.#config;
    return pin && ((message) => this.#guard("pin", () => pin(message), true));
  }

  /** The id part of the identity of the message at a place of a list. */
  #idsIn(
    list: readonly M[],
    { inBlock, copies }: Pick<Plan<M>, "inBlock" | "copies">,
    scope: Scope<N>,
  ): IdAt {
    const { identify } = this.#config;
    if (identify === undefined) return (index) => viewOf(list[index]).id;
    const places = list.map((_, index) => index).filter((index) => !inBlock.has(index) && !copies.has(index));
    const messages = places.length === list.length ? list : places.map((index) => list[index] as M);
    const { namespace, threadId } = scope;
    const isSummarized = inBlock.size > 0;
    const ask = (index: number): string | undefined => {
      const context = { messages, index, namespace, threadId, isSummarized };
      const call = (): unknown => identify(messages[index] as M, context);
      const id = this.#guard("identify", call, undefined);
      if (typeof id === "string") return id;
      if (id !== undefined && id !== null) this.#reporter.warnOnce("identify id", notAnId(id));
      return undefined;
    };
    // Ids that are made by comparing lists need to see each of them.
    if (messages.length > 0) ask(messages.length - 1);
    if (messages === list) return ask;
    const placeOf = new Map(places.map((index, place) => [index, place]));
    return (index) => ask(placeOf.get(index) ?? messages.length);
  }

  #refuseAsyncOutboxes(): void {
    const isAsync = (hook: unknown): boolean => {
      const durability = durabilityOf(hook);
      return durability !== undefined && durability.commitSync === undefined;
    };
    const hook = this.#config.onPrune.find(isAsync);
    if (hook === undefined) return;
    const advice = "Use reduce(), or an outbox with enqueueSync.";
    const problem = `the outbox of the durable hook "${hook.name}" cannot commit without waiting`;
    throw new KeepsakeError("async_in_sync", `A synchronous reduce is not possible: ${problem}. ${advice}`);
  }

  readonly #tokensOf = (message: M, record: MessageRecord): number => {
    const { tokenCounter } = this.#config;
    if (record.counter === tokenCounter) return record.tokens;
    const counted = this.#guard("tokenCounter", () => tokenCounter(message), Number.NaN);
    const isCount = typeof counted === "number" && counted >= 0 && Number.isFinite(counted);
    if (!isCount)
      this.#reporter.warnOnce("tokens", `tokenCounter returned ${String(counted)}; it is estimated instead.`);
    record.tokens = isCount ? counted : estimateTokens(message);
    record.counter = tokenCounter;
    return record.tokens;
  };

  readonly #sizeOf = (messages: readonly M[]): number =>
    sizeOf(messages, { window: this.#config, tokensOf: this.#tokensOf });

  /** Calls one of the app's functions; where it throws, says so once and goes on with `otherwise`. */
  #guard<R>(name: string, call: () => R, otherwise: R): R {
    try {
      return call();
    } catch (error) {
      this.#reporter.warnOnce(name, `${name} failed; the reduce went on without it.`, error);
      return otherwise;
    }
  }
}

function scopeOf<N>({
  namespace = null,
  threadId,
}: Pick<ReduceInput<never, N>, "namespace" | "threadId">): Scope<N> {
  return { namespace, threadId };
}

const reduceFields: Readonly<Record<keyof ReduceInput<never>, true>> = {
  existing: true,
  new: true,
  namespace: true,
  threadId: true,
  previousSummary: true,
  deliver: true,
};
const handOverFields: Readonly<Record<keyof HandOverInput<never>, true>> = {
  messages: true,
  namespace: true,
  threadId: true,
};

/** Refuses an input that would be an empty list by mistake. */
function checkInput(subject: string, input: unknown, fields: Readonly<Record<string, true>>): void {
  const names = Object.keys(fields);
  const example = `${subject}({ ${names[0]}: messages })`;
  const refuse = (problem: string): KeepsakeError =>
    new KeepsakeError("invalid_input", `${subject}: ${problem}`);
  if (!isRecord(input)) {
    const given = Array.isArray(input) ? "an array" : input === null ? "null" : typeof input;
    throw refuse(`the input must be an object, not ${given}: ${example}.`);
  }
  for (const name in input) {
    if (Object.hasOwn(fields, name) || input[name] === undefined) continue;
    const isList = name === "messages" || name === "existing";
    const advice = isList ? `Did you mean "${names[0]}"?` : hint(name, names);
    throw refuse(`unknown field "${name}". ${advice}`);
  }
}

function notCommitted(count: number): KeepsakeError {
  const advice = "Keep them, and call handOver again; the log says why.";
  return new KeepsakeError("not_committed", `handOver: up to ${count} messages are in no outbox. ${advice}`, {
    data: { count },
  });
}

/** Two lists as one. A spread would grow the copy of a long list while it is made; what a list leaves out counts as `undefined`. */
function joined<M>(first: readonly M[], second: readonly M[]): M[] {
  const list = first.concat(second);
  return list.includes(undefined as M) ? [...list] : list;
}

function checkedList<M>(name: string, list: readonly M[] | null | undefined): readonly M[] {
  const messages = list ?? [];
  if (Array.isArray(messages)) return messages;
  throw new KeepsakeError("invalid_input", `${name} must be an array of messages, not ${typeof list}.`);
}

function notAnId(id: unknown): string {
  const advice =
    typeof id === "function"
      ? "Call what makes it: identify: contentIds()."
      : "Return a string, or undefined.";
  return `identify returned a ${typeof id}, which is no id; the messages have none. ${advice}`;
}

function listOf<M>(list: M[] | M | null | undefined): M[] {
  const messages = list ?? [];
  return Array.isArray(messages) ? messages : [messages];
}
