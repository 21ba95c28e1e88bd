import { KeepsakeError } from "../errors/index.ts";
import { isRecord } from "../util/index.ts";
import type { Embedder } from "./embedder.ts";
import { providerEmbedder } from "./embedding-providers.ts";

/**
 * Reads the `embed` option: LangChain's `Embeddings`, an embedding model of the AI SDK, a function, or `"provider:model"`.
 *
 * @throws {KeepsakeError} `invalid_config`
 */
export function resolveEmbedder(given: unknown): Embedder {
  if (typeof given === "string") return providerEmbedder(given, langchainEmbedder);
  if (isCallable(given)) return functionEmbedder(given);
  if (isRecord(given) && isCallable(given.doEmbed)) return aiSdkEmbedder(given);
  if (
    isRecord(given) &&
    typeof given.embedDocuments === "function" &&
    typeof given.embedQuery === "function"
  ) {
    return langchainEmbedder(given);
  }
  throw new KeepsakeError(
    "invalid_config",
    '`index.embed` is none of: a LangChain Embeddings object, an AI SDK embedding model, a function (texts) => vectors, "provider:model".',
    { data: { embed: typeof given } },
  );
}

type Callable = (...given: unknown[]) => unknown;

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

/** A method, called on what it belongs to. */
async function call(owner: object, method: string, argument: unknown): Promise<unknown> {
  const found: unknown = Reflect.get(owner, method);
  if (!isCallable(found)) throw new TypeError(`The embedder has no ${method}.`);
  return Reflect.apply(found, owner, [argument]);
}

function functionEmbedder(embed: Callable): Embedder {
  return {
    name: modelName(embed),
    maxTexts: () => undefined,
    embed: async (texts) => embed([...texts]),
  };
}

/** An embedder over an object of LangChain's shape, which {@link resolveEmbedder} has checked. */
function langchainEmbedder(embeddings: object): Embedder {
  return {
    name: modelName(embeddings),
    maxTexts: () => undefined,
    embed: async (texts, purpose) =>
      purpose === "document"
        ? call(embeddings, "embedDocuments", [...texts])
        : Promise.all(texts.map((text) => call(embeddings, "embedQuery", text))),
  };
}

function aiSdkEmbedder(model: Readonly<Record<string, unknown>>): Embedder {
  return {
    name: modelName(model),
    maxTexts: () => model.maxEmbeddingsPerCall,
    embed: async (values, _purpose, abortSignal) => {
      const result: unknown = await call(model, "doEmbed", { values: [...values], abortSignal });
      return isRecord(result) ? result.embeddings : result;
    },
  };
}

/** A function's own `name` says nothing of the model. */
function modelName(embedder: object): string | undefined {
  const properties = ["modelId", "model", "modelName", ...(typeof embedder === "function" ? [] : ["name"])];
  return properties
    .map((property): unknown => Reflect.get(embedder, property))
    .find((name): name is string => typeof name === "string" && name !== "");
}
