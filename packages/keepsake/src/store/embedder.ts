/** Whether texts are stored or searched for: some models embed them differently. */
export type EmbeddingPurpose = "document" | "query";

/** What makes vectors, whatever shape the app gave it in. */
export interface Embedder {
  /** The model's; `undefined` where it has none. */
  readonly name: string | undefined;
  /** How many texts one call may have; `undefined`: it does not say. */
  readonly maxTexts: () => unknown;
  /** What it gives is unchecked. */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<unknown>;
}
