import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { getConfig } from "@langchain/langgraph/web";
import { conversationOf, memoryNamespace } from "../../checkpoint/index.ts";
import { KeepsakeError } from "../../errors/index.ts";
import type { MessageReducer } from "../../reducer/index.ts";
import { isHostStore } from "../../store/index.ts";
import type { ToolEngine, ToolRun, ToolStore } from "../../tools/index.ts";
import { checkOptions, isBoolean, isFunction, isRecord } from "../../util/index.ts";
import { runOf } from "./memory-tool.ts";
import { type MemoryTools, memoryTools } from "./memory-tools.ts";
import { lastQuestion, recallFrom, recallKinds } from "./recall.ts";
import { runNamespace } from "./run-namespace.ts";
import { windowUpdate } from "./window-update.ts";

/** How {@link memoryMiddleware} is made. */
export interface MemoryMiddlewareOptions<M, N> {
  /** Decides what stays in the agent's state, and hands over what leaves. */
  readonly reducer: MessageReducer<M, N>;
  /** What recalls and keeps memories: a `MemoryEngine`. */
  readonly engine?: ToolEngine | undefined;
  /** A store in place of an engine. Default: the store of the agent. */
  readonly store?: ToolStore | undefined;
  /**
   * Whose memory it is: labels or a scope path, with `{placeholders}` filled from the run's `configurable`, then its `context`. Default:
   * that of `memoryNamespace(reducer, config)`, as a saver's.
   */
  readonly namespace?: string | readonly string[] | undefined;
  /** The most memories that are recalled. Default 5. */
  readonly limit?: number | undefined;
  /** The most tokens, as estimated, that they take up. Default 2000. */
  readonly maxTokens?: number | undefined;
  /** What to look for, of the messages that the model is about to get. Default: the last user message. */
  readonly query?:
    | ((messages: readonly BaseMessage[]) => string | undefined | Promise<string | undefined>)
    | undefined;
  /** Brings `manage_memory` and `search_memory`. Default true. */
  readonly tools?: boolean | undefined;
  /** Its name in the agent's graph: no two middlewares of an agent have the same. Default `"keepsakeMemory"`. */
  readonly name?: string | undefined;
}

/** What is read of a request to the model: that of `wrapModelCall` fits. */
export interface ModelRequestLike {
  readonly messages: BaseMessage[];
  readonly systemMessage: SystemMessage;
  readonly runtime: unknown;
}

/** A middleware as `createAgent` of `langchain` takes it. */
export interface MemoryMiddleware {
  readonly name: string;
  readonly tools: MemoryTools | [];
  /** Cuts the agent's state to the window, and hands over what leaves, before each call of the model. */
  readonly beforeModel: (
    state: { readonly messages: BaseMessage[] },
    runtime: unknown,
  ) => Promise<{ messages: BaseMessage[] } | undefined>;
  /** Adds recalled memories to the system prompt of this one call. */
  readonly wrapModelCall: <Request extends ModelRequestLike, Response>(
    request: Request,
    handler: (request: Request) => Response | PromiseLike<Response>,
  ) => Promise<Response>;
}

/**
 * Memory for `createAgent`: before each call of the model the state is cut to the reducer's window, and what leaves is handed to its hooks,
 * which are awaited; what is remembered about the last user message goes into the system prompt of that call alone, not into the state;
 * and the agent has the memory tools.
 *
 * @throws {KeepsakeError} `invalid_config` here; in a run `missing_store` without one, `missing_namespace_value` for a namespace with a
 * placeholder that has no value
 * @example
 * ```ts
 * const reducer = new MessageReducer({ maxMessages: 20, onPrune: [rememberVerbatim(store)] });
 * const agent = createAgent({ model, middleware: [memoryMiddleware({ reducer, store })], checkpointer });
 * await agent.invoke(input, { configurable: { thread_id: "t1", memory_namespace: ["memories", "asha"] } });
 * ```
 */
export function memoryMiddleware<M, N = string[]>(options: MemoryMiddlewareOptions<M, N>): MemoryMiddleware {
  const { reducer, namespace, query = lastQuestion } = checked(options);
  const { namespaceKey } = reducer;
  const source = options.engine ?? options.store;
  const scope = runNamespace({ namespace, namespaceKey });
  const recall = recallFrom(source, { ...options, namespaceKey });
  const namespaceOf = (run: ToolRun): unknown =>
    namespace === undefined ? memoryNamespace(reducer, configOf(run)) : scope.labels(run);
  return {
    name: options.name ?? "keepsakeMemory",
    tools: options.tools === false ? [] : memoryTools(source, { namespace, namespaceKey }),
    async beforeModel({ messages }, runtime) {
      const run = runOfHook(runtime);
      const { surviving } = await reducer.reduce<M>({
        // The agent's messages, and its namespaces, are those that the reducer was made for.
        existing: messages as M[],
        namespace: namespaceOf(run) as N,
        threadId: conversationOfAgent(run),
      });
      const update = windowUpdate(messages, surviving as BaseMessage[]);
      return update && { messages: update };
    },
    async wrapModelCall(request, handler) {
      const question = (await query(request.messages)) ?? "";
      const memory = await recall(question, runOf(request.runtime));
      return handler(memory === "" ? request : withMemory(request, memory));
    },
  };
}

function checked<M, N>(options: MemoryMiddlewareOptions<M, N>): MemoryMiddlewareOptions<M, N> {
  const subject = "memoryMiddleware";
  const { namespace, limit, maxTokens } = recallKinds;
  checkOptions(subject, options, {
    ...{ namespace, limit, maxTokens },
    reducer: ["a MessageReducer", (value) => typeof Object(value).reduce === "function"],
    engine: ["an engine, with a function recall", (value) => typeof Object(value).recall === "function"],
    store: ["a store with get, put, delete and search", isHostStore],
    query: isFunction,
    tools: isBoolean,
    name: ["a string that is not empty", (value) => typeof value === "string" && value !== ""],
  });
  const refuse = (problem: string): KeepsakeError =>
    new KeepsakeError("invalid_config", `${subject}: ${problem}`);
  if (options.reducer === undefined) throw refuse("pass a reducer; with maxMessages: null it cuts nothing.");
  if (options.engine !== undefined && options.store !== undefined) {
    throw refuse("pass an engine or a store, not both; the engine has a store.");
  }
  return options;
}

/** LangChain shows a hook only the part of the context that is in the schema of its middleware. */
function runOfHook(runtime: unknown): ToolRun {
  const run = runOf(runtime);
  return { ...run, context: Object(getConfig()).context ?? run.context };
}

/**
 * The conversation of the agent's list: where the agent's graph saves it, without the hook's own task, and without the parts that are new in
 * every run where the agent is a node of another graph, which hands it the same messages in each.
 */
function conversationOfAgent(run: ToolRun): string | undefined {
  const { configurable } = configOf(run);
  const tasks = String(configurable.checkpoint_ns ?? "").split("|");
  const place = tasks.slice(0, -1).map((task) => task.split(":")[0]);
  return conversationOf({ configurable: { ...configurable, checkpoint_ns: place.join("|") } });
}

function configOf({ configurable }: ToolRun): { readonly configurable: Readonly<Record<string, unknown>> } {
  return { configurable: isRecord(configurable) ? configurable : {} };
}

/** Some providers refuse a second prompt: where the list brings one, and the agent none, that one gets the memories. */
function withMemory<Request extends ModelRequestLike>(request: Request, memory: string): Request {
  const { systemMessage, messages } = request;
  const [first, ...rest] = messages;
  if (systemMessage.text === "" && SystemMessage.isInstance(first)) {
    return { ...request, messages: [withText(first, memory), ...rest] };
  }
  return { ...request, systemMessage: withText(systemMessage, memory) };
}

function withText(prompt: SystemMessage, text: string): SystemMessage {
  return prompt.concat(prompt.text === "" ? text : `\n\n${text}`);
}
