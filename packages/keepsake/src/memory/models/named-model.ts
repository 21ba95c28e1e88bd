import { KeepsakeError } from "../../errors/index.ts";
import { call, hasMethods } from "./asking.ts";
import { chatModel } from "./chat-model.ts";
import type { MemoryModel } from "./types.ts";

/** A model by its name, `"provider:model"`, made by LangChain's `initChatModel` at the first call. */
export function namedModel(name: string): MemoryModel {
  let loading: Promise<MemoryModel> | undefined;
  const load = (): Promise<MemoryModel> => {
    // A failure is not kept: the package or the key may be there the next time.
    loading ??= loadChatModel(name).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    name,
    generate: async (request) => {
      request.signal?.throwIfAborted();
      return (await load()).generate(request);
    },
  };
}

async function loadChatModel(name: string): Promise<MemoryModel> {
  const module: unknown = await import("langchain/chat_models/universal").catch((cause: unknown) => {
    throw missing(name, "langchain", "the package langchain, which could not be loaded", cause);
  });
  if (!hasMethods(module, "initChatModel"))
    throw missing(name, "langchain", "langchain 1, and the version found has no initChatModel");
  const model = await init(module, name);
  if (!hasMethods(model, "invoke"))
    throw missing(name, "langchain", "a langchain whose initChatModel gives a model with invoke");
  return chatModel(model);
}

async function init(module: object, name: string): Promise<unknown> {
  try {
    return await call(module, "initChatModel", [name]);
  } catch (cause) {
    const message = String(Object(cause).message);
    const provider = /Unable to import (\S+?)\.?(?:\s|$)/.exec(message)?.[1];
    if (provider !== undefined) throw missing(name, provider, `the package ${provider}`, cause);
    throw new KeepsakeError(
      "invalid_config",
      `The model "${name}" could not be made by langchain's initChatModel: ${message}`,
      { cause, data: { model: name } },
    );
  }
}

function missing(model: string, packageName: string, needed: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError(
    "missing_dependency",
    `The model "${model}" needs ${needed}. Run "npm install ${packageName}", or pass a model instead of its name.`,
    { cause, data: { package: packageName, model } },
  );
}
