import { BaseCheckpointSaver } from "@langchain/langgraph/web";
import { reduceCheckpoint, withNote, withoutVainWrites } from "../../checkpoint/index.ts";
import { KeepsakeError } from "../../errors/index.ts";
import type { MessageReducer } from "../../reducer/index.ts";
import { checkOptions, isRecord, type OptionKind } from "../../util/index.ts";

/** Any saver of LangGraph's, whatever its versions are. */
export type AnySaver = BaseCheckpointSaver<number | string>;

/** How a {@link ReducingSaver} is made. */
export interface ReducingSaverOptions {
  /** The channel that holds the messages. Default `"messages"`. */
  readonly messagesKey?: string | undefined;
}

type Config = Parameters<BaseCheckpointSaver["getTuple"]>[0];
type Tuple = Awaited<ReturnType<BaseCheckpointSaver["getTuple"]>>;
type PutArguments = Parameters<BaseCheckpointSaver["put"]>;
type DeltaHistory = ReturnType<BaseCheckpointSaver["getDeltaChannelHistory"]>;

const channelName: OptionKind = [
  "the name of a channel",
  (value) => typeof value === "string" && value !== "",
];

/**
 * A saver around another one that keeps the message list of every checkpoint within the reducer's window, and hands what leaves it to
 * the reducer's hooks, before the checkpoint is stored. The list inside the running graph is not reduced; what the next run loads is.
 *
 * Methods that `inner` has beyond those of every saver (`setup`, `end`, …) are there as well.
 *
 * @throws {KeepsakeError} `invalid_config` for what is no saver or no reducer, an unknown option, or an `inner` that reduces otherwise already
 * @example
 * ```ts
 * const reducer = new MessageReducer({ maxMessages: 20, onPrune: [rememberVerbatim(store)] });
 * const graph = builder.compile({ checkpointer: new ReducingSaver(new MemorySaver(), reducer) });
 * await graph.invoke(input, { configurable: { thread_id: "t1", memory_namespace: ["memories", "asha"] } });
 * ```
 */
export class ReducingSaver<
  Inner extends AnySaver = AnySaver,
  M = unknown,
  N = string[],
> extends BaseCheckpointSaver {
  /** The saver that stores. */
  readonly inner: Inner;
  readonly reducer: MessageReducer<M, N>;
  /** The channel that holds the messages. */
  readonly messagesKey: string;
  /** True where `inner` reduces by itself, with the same reducer. */
  readonly passthrough: boolean;

  constructor(inner: Inner, reducer: MessageReducer<M, N>, options: ReducingSaverOptions = {}) {
    checkArguments(inner, reducer, options);
    super(inner.serde);
    this.inner = inner;
    this.reducer = reducer;
    this.passthrough = "reducer" in inner;
    this.messagesKey = options.messagesKey ?? keyOf(inner) ?? "messages";
    if (this.passthrough) adopt(inner, reducer, options.messagesKey);
    addCapabilities(this, inner);
  }

  override async put(...[config, checkpoint, metadata, newVersions]: PutArguments): Promise<Config> {
    const { inner, reducer, passthrough, messagesKey } = this;
    if (passthrough) return inner.put(config, checkpoint, metadata, newVersions);
    const reduced = await reduceCheckpoint(reducer, checkpoint, config, messagesKey);
    return inner.put(config, reduced.checkpoint, withNote(metadata, reduced.pruned), newVersions);
  }

  override async getTuple(config: Config): Promise<Tuple> {
    const tuple = await this.inner.getTuple(config);
    return tuple && withoutVainWrites(tuple, this.messagesKey);
  }

  override async *list(
    ...args: Parameters<BaseCheckpointSaver["list"]>
  ): ReturnType<BaseCheckpointSaver["list"]> {
    for await (const tuple of this.inner.list(...args)) yield withoutVainWrites(tuple, this.messagesKey);
  }

  override putWrites(...args: Parameters<BaseCheckpointSaver["putWrites"]>): Promise<void> {
    return this.inner.putWrites(...args);
  }

  override deleteThread(threadId: string): Promise<void> {
    return this.inner.deleteThread(threadId);
  }

  override getDeltaChannelHistory(
    options: Parameters<BaseCheckpointSaver["getDeltaChannelHistory"]>[0],
  ): DeltaHistory {
    // Savers made for earlier versions of the interface do not have it.
    const isThere = typeof Object(this.inner).getDeltaChannelHistory === "function";
    return isThere ? this.inner.getDeltaChannelHistory(options) : super.getDeltaChannelHistory(options);
  }

  override getNextVersion(current: number | undefined): number {
    // Whatever the saver makes of versions, LangGraph only hands them back to it.
    return this.inner.getNextVersion(current) as number;
  }
}

function checkArguments(inner: unknown, reducer: unknown, options: unknown): void {
  const refuse = (problem: string): KeepsakeError =>
    new KeepsakeError("invalid_config", `ReducingSaver: ${problem}`);
  const saver = Object(inner);
  const missing = ["getTuple", "list", "put", "putWrites"].filter(
    (name) => typeof saver[name] !== "function",
  );
  if (missing.length > 0)
    throw refuse(`the first argument must be a checkpoint saver; it has no ${missing.join(", ")}.`);
  if (typeof Object(reducer).reduce !== "function")
    throw refuse("the second argument must be a MessageReducer.");
  checkOptions("ReducingSaver", options, { messagesKey: channelName });
  const present: unknown = saver.reducer;
  if (present === undefined || present === null) return;
  if (present !== reducer)
    throw refuse(
      "the saver has another reducer already; give it one of the two, or wrap the saver inside it.",
    );
  const key = isRecord(options) ? options.messagesKey : undefined;
  const presentKey = keyOf(saver);
  if (key !== undefined && presentKey !== undefined && key !== presentKey)
    throw refuse(`the saver reduces the channel "${presentKey}" already, not "${String(key)}".`);
}

function keyOf(saver: object): string | undefined {
  const key: unknown = Reflect.get(saver, "messagesKey");
  return typeof key === "string" ? key : undefined;
}

/** Gives a saver that can reduce by itself the reducer. */
function adopt(inner: object, reducer: unknown, messagesKey: string | undefined): void {
  Reflect.set(inner, "reducer", reducer);
  if (messagesKey !== undefined && "messagesKey" in inner) Reflect.set(inner, "messagesKey", messagesKey);
}

/** Methods of the inner saver that not every saver has: callers look whether they are there. */
function addCapabilities(saver: object, inner: object): void {
  for (let holder: object | null = inner; holder !== null && holder !== Object.prototype; ) {
    for (const name of Reflect.ownKeys(holder)) {
      const method: unknown = Object.getOwnPropertyDescriptor(holder, name)?.value;
      if (name in saver || typeof method !== "function" || String(name).startsWith("_")) continue;
      const value = (...args: unknown[]): unknown => Reflect.apply(method, inner, args);
      Object.defineProperty(saver, name, { value, configurable: true, writable: true });
    }
    holder = Object.getPrototypeOf(holder);
  }
}
