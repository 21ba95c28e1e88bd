import {
  DynamicStructuredTool,
  type StructuredToolCallInput,
  ToolInputParsingException,
  type ToolReturnType,
  type ToolRunnableConfig,
} from "@langchain/core/tools";
import type { JSONSchema } from "@langchain/core/utils/json_schema";
import { underlyingStore } from "../../store/index.ts";
import type { MemoryTool, ToolRun } from "../../tools/index.ts";
import { isRecord } from "../../util/index.ts";

/** How a definition is carried out: with its text alone, or with an artifact beside it. */
export type Carry = (args: unknown, run: ToolRun) => Promise<unknown>;

/** What a {@link LangChainMemoryTool} is made of. */
export interface LangChainMemoryToolFields {
  readonly definition: MemoryTool;
  readonly carry: Carry;
  readonly responseFormat: "content" | "content_and_artifact";
  /** Arguments that satisfy the definition's schema. */
  readonly standIn: Readonly<Record<string, unknown>>;
}

/**
 * A memory tool as LangChain knows tools. Store and namespace come from the run, also where the tool is called inside a node or an
 * entrypoint without its config. Arguments that LangChain refuses reach the definition all the same, and get its answer.
 */
export class LangChainMemoryTool<Args> extends DynamicStructuredTool<JSONSchema, Args, Args, string> {
  readonly #standIn: Readonly<Record<string, unknown>>;
  readonly #refused: WeakMap<object, unknown>;

  constructor({ definition, carry, responseFormat, standIn }: LangChainMemoryToolFields) {
    const refused = new WeakMap<object, unknown>();
    super({
      name: definition.name,
      description: definition.description,
      schema: definition.inputSchema,
      responseFormat,
      func: (args, _manager, config) => {
        const passed = refused.has(Object(args)) ? refused.get(Object(args)) : args;
        return carry(passed, runOf(config)) as Promise<string>;
      },
    });
    this.#standIn = standIn;
    this.#refused = refused;
  }

  /** @deprecated LangChain's own way in; use `invoke`. */
  override async call<
    TArg extends StructuredToolCallInput<JSONSchema, Args>,
    TConfig extends ToolRunnableConfig | undefined,
  >(
    arg: TArg,
    config?: TConfig,
    tags?: string[],
  ): Promise<ToolReturnType<NonNullable<TArg>, TConfig, string>> {
    const isToolCall = isRecord(arg) && arg.type === "tool_call" && "args" in arg;
    const given = isToolCall ? arg.args : arg;
    const withArgs = (args: unknown): TArg => (isToolCall ? { ...arg, args } : args) as TArg;
    try {
      return await super.call(withArgs(withoutUndefined(given)), config, tags);
    } catch (error) {
      if (!(error instanceof ToolInputParsingException)) throw error;
      const accepted = { ...this.#standIn };
      this.#refused.set(accepted, given);
      return super.call(withArgs(accepted), config, tags);
    }
  }
}

/** LangChain's check of a JSON schema throws for `undefined`, which here means that an argument is left out. */
function withoutUndefined(args: unknown): unknown {
  if (!isRecord(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** What a config or a runtime says about the run; LangChain has merged the surrounding run's config into it. */
export function runOf(config: unknown): ToolRun {
  const { configurable, context, store, signal } = Object(config);
  return { configurable, context, store: underlyingStore(store), signal };
}
