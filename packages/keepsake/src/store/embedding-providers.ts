import { KeepsakeError } from "../errors/index.ts";
import { didYouMean, harmless, isRecord } from "../util/index.ts";
import type { Embedder } from "./embedder.ts";

/** LangChain's packages by provider, with the class that embeds. */
const providers: ReadonlyMap<string, readonly [packageName: string, className: string]> = new Map([
  ["openai", ["@langchain/openai", "OpenAIEmbeddings"]],
  ["google-genai", ["@langchain/google-genai", "GoogleGenerativeAIEmbeddings"]],
  ["mistralai", ["@langchain/mistralai", "MistralAIEmbeddings"]],
  ["cohere", ["@langchain/cohere", "CohereEmbeddings"]],
  ["bedrock", ["@langchain/aws", "BedrockEmbeddings"]],
  ["ollama", ["@langchain/ollama", "OllamaEmbeddings"]],
]);

/**
 * The embedder of a `"provider:model"` text. Its package is loaded with the first text.
 *
 * @throws {KeepsakeError} `invalid_config`; when it embeds, `missing_dependency`
 */
export function providerEmbedder(text: string, overObject: (embeddings: object) => Embedder): Embedder {
  const [, provider = "", model = ""] = /^([^:]*):(.+)$/s.exec(text) ?? [];
  const [packageName, className] = providers.get(provider) ?? [];
  if (packageName === undefined || className === undefined) throw unknownProvider(text, provider);
  let loading: Promise<Embedder> | undefined;
  const load = (): Promise<Embedder> => {
    loading ??= construct(packageName, className, model, text)
      .then(overObject)
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  return {
    name: model,
    maxTexts: () => undefined,
    embed: async (texts, purpose, signal) => (await load()).embed(texts, purpose, signal),
  };
}

async function construct(
  packageName: string,
  className: string,
  model: string,
  text: string,
): Promise<object> {
  let found: unknown;
  try {
    const module: unknown = await import(packageName);
    found = isRecord(module) ? module[className] : undefined;
  } catch (cause) {
    throw new KeepsakeError(
      "missing_dependency",
      `\`index.embed: "${text}"\` needs ${packageName}, which could not be loaded. Run "npm install ${packageName}", or pass an embedder of your own.`,
      { cause, data: { package: packageName } },
    );
  }
  if (typeof found !== "function") {
    throw new KeepsakeError(
      "missing_dependency",
      `\`index.embed: "${text}"\` needs ${className}, which this version of ${packageName} does not export. Update it, or pass an embedder of your own.`,
      { data: { package: packageName } },
    );
  }
  const embeddings: unknown = Reflect.construct(found, [{ model }]);
  if (typeof embeddings === "object" && embeddings !== null) return embeddings;
  throw new TypeError(`${className} made no object.`);
}

function unknownProvider(text: string, provider: string): KeepsakeError {
  const known = [...providers.keys()];
  const meant = didYouMean(provider, known);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const shown = harmless(text);
  return new KeepsakeError(
    "invalid_config",
    `\`index.embed\` is "${shown}"; as a text it is "provider:model", and the providers are ${known.join(", ")}.${hint} For any other pass a LangChain Embeddings object, an AI SDK embedding model, or a function (texts) => vectors.`,
    { data: { embed: shown } },
  );
}
