import { KeepsakeError } from "../errors/index.ts";
import { unitVector } from "../search/index.ts";
import type { Embedder, EmbeddingPurpose } from "./embedder.ts";

/** Texts of one call: what every known provider takes. */
const batchSize = 96;
/** Calls at a time, over all that a store does. */
const maxConcurrency = 4;
const attempts = 3;
const firstDelayMs = 250;
/** An embedder that does not answer counts as failed, and is not asked again. A query has its words to fall back on. */
const callTimeoutMs: Readonly<Record<EmbeddingPurpose, number>> = { document: 60_000, query: 5_000 };

/** A vector of unit length, or why there is none. */
export type Embedded = Float32Array | KeepsakeError;

/** An embedder with everything around it. */
export interface TextEmbedder {
  /** The model's. */
  readonly name: string | undefined;
  /** The vectors of the texts, each embedded once. Rejects only with the reason of `signal`. */
  embed(
    texts: Iterable<string>,
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Embedded>>;
}

/** Waits; replaced in tests. */
export type Sleep = (ms: number) => Promise<void>;

const defaultSleep: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Embeds in batches, a few at a time, each tried again with growing, random pauses (full jitter, after Marc Brooker, "Exponential Backoff And
 * Jitter", 2015), and checks what comes back. `dims` undefined: as many as the first vector has.
 */
export function createTextEmbedder(
  embedder: Embedder,
  dims: number | undefined,
  sleep: Sleep = defaultSleep,
): TextEmbedder {
  const inLine = limitConcurrency(maxConcurrency);
  let expected = dims;

  const check = (texts: readonly string[], vectors: unknown): Map<string, Embedded> => {
    const given = Array.isArray(vectors) ? vectors : undefined;
    if (given?.length !== texts.length) return allOf(texts, wrongCount(texts.length, vectors));
    const checked = new Map<string, Embedded>();
    given.forEach((vector: unknown, index) => {
      const embedded = checkVector(vector, expected);
      if (embedded instanceof Float32Array) expected ??= embedded.length;
      checked.set(texts[index] ?? "", embedded);
    });
    return checked;
  };

  const embedBatch = async (
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, Embedded>> => {
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        return check(texts, await withTimeout(embedder, texts, purpose, signal));
      } catch (cause) {
        signal?.throwIfAborted();
        if (KeepsakeError.isInstance(cause)) return allOf(texts, cause);
        if (attempt === attempts || cause instanceof NoAnswer || isRefusal(cause))
          return allOf(texts, failure(cause, attempt));
      }
      await sleep(Math.random() * firstDelayMs * 2 ** attempt);
    }
  };

  return {
    name: embedder.name,
    embed: async (given, purpose, signal) => {
      const texts = [...new Set(given)];
      const size = await sizeOf(embedder);
      const batches: string[][] = [];
      for (let start = 0; start < texts.length; start += size) batches.push(texts.slice(start, start + size));
      const results = await Promise.all(
        batches.map((batch) => inLine(() => embedBatch(batch, purpose, signal))),
      );
      return new Map(results.flatMap((result) => [...result]));
    },
  };
}

async function sizeOf(embedder: Embedder): Promise<number> {
  const most: unknown = await Promise.resolve(embedder.maxTexts()).catch(() => undefined);
  return typeof most === "number" && most >= 1 ? Math.min(batchSize, Math.floor(most)) : batchSize;
}

class NoAnswer extends Error {}

async function withTimeout(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const given = new Promise<never>((_, reject) => {
    const stop = (reason: unknown): void =>
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    controller.signal.addEventListener("abort", () => stop(controller.signal.reason), { once: true });
    timer = setTimeout(
      () => controller.abort(new NoAnswer(`no answer within ${callTimeoutMs[purpose] / 1000} seconds`)),
      callTimeoutMs[purpose],
    );
  });
  try {
    return await Promise.race([embedder.embed(texts, purpose, controller.signal), given]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** True for what will be refused again: an HTTP status that says that the request is at fault. */
function isRefusal(error: unknown): boolean {
  const status: unknown =
    error instanceof Error ? (Reflect.get(error, "status") ?? Reflect.get(error, "statusCode")) : undefined;
  return (
    typeof status === "number" && status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status)
  );
}

function checkVector(vector: unknown, expected: number | undefined): Embedded {
  if (!isNumbers(vector)) return invalid("The embedder gave something that is not a list of numbers.", {});
  const dims = vector.length;
  if (expected !== undefined && dims !== expected) {
    return invalid(
      `The embedder gave a vector of ${dims} numbers where ${expected} are expected (\`index.dims\`, or the first vector).`,
      { dims, expected },
    );
  }
  const unit = unitVector(vector);
  if (unit !== undefined) return unit;
  const place = Array.from(vector).findIndex((number) => !Number.isFinite(number));
  return place < 0
    ? invalid(`The embedder gave a vector of ${dims} numbers that are all zero: it has no direction.`, {
        dims,
      })
    : invalid(`The embedder gave a vector with ${String(vector[place])} as number ${place + 1} of ${dims}.`, {
        dims,
        place,
      });
}

function isNumbers(vector: unknown): vector is ArrayLike<number> {
  if (ArrayBuffer.isView(vector)) return !(vector instanceof DataView) && "length" in vector;
  return Array.isArray(vector) && vector.every((number) => typeof number === "number");
}

function wrongCount(texts: number, vectors: unknown): KeepsakeError {
  const given = Array.isArray(vectors) ? `${vectors.length} vectors` : "no list of vectors";
  return invalid(`The embedder gave ${given} for ${texts} texts.`, { texts });
}

function invalid(message: string, data: Record<string, unknown>): KeepsakeError {
  return new KeepsakeError("invalid_embedding", message, { data });
}

function failure(cause: unknown, attempt: number): KeepsakeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KeepsakeError(
    "embedding_failed",
    `The embedder failed${attempt > 1 ? ` ${attempt} times` : ""}: ${reason}`,
    { cause, data: { attempts: attempt } },
  );
}

function allOf(texts: readonly string[], error: KeepsakeError): Map<string, Embedded> {
  return new Map(texts.map((text) => [text, error]));
}

/** Runs at most so many at a time, the others in the order in which they came. */
function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
