import type { MessageRecord } from "../message/index.ts";
import { cutByMessage } from "./message-boundary.ts";
import { findSound } from "./repair.ts";
import { cutAtTurn } from "./turn-boundary.ts";
import type { CutInput, WindowChoice, WindowInput, WindowOptions } from "./types.ts";

/** Decides which messages stay. Pure: the same input gives the same window. O(n). */
export function chooseWindow(input: WindowInput, options: WindowOptions): WindowChoice {
  const repairs = options.repair && options.cascadeToolMessages;
  if (options.boundary === "turn") {
    const sound = repairs ? findSound(input.records) : undefined;
    return sound === undefined ? cut(input, options) : choosePart(input, options, sound, cut);
  }
  const choice = cut(input, options);
  const kept = indicesOf(choice.keep);
  const sound = repairs ? findSound(kept.map((index) => input.records[index] as MessageRecord)) : undefined;
  if (sound === undefined) return choice;
  return choosePart(
    input,
    options,
    sound.map((index) => kept[index] as number),
    keepAll,
  );
}

type Chooser = (input: WindowInput, options: WindowOptions) => WindowChoice;

/** Applies `choose` to the messages at some indices; the others do not stay. */
function choosePart(
  input: WindowInput,
  options: WindowOptions,
  indices: readonly number[],
  choose: Chooser,
): WindowChoice {
  const { pin } = input;
  const at = (index: number): number => indices[index] as number;
  const choice = choose(
    {
      ...input,
      records: indices.map((index) => input.records[index] as MessageRecord),
      pin: pin && ((index) => pin(at(index))),
      tokensOf: (index) => input.tokensOf(at(index)),
    },
    options,
  );
  const keep = new Uint8Array(input.records.length);
  for (let index = 0; index < indices.length; index += 1) keep[at(index)] = choice.keep[index] ?? 0;
  return { ...choice, keep };
}

/** Keeps every message under the trigger, else what the boundary lets stay. */
function cut(input: WindowInput, options: WindowOptions): WindowChoice {
  const { weights, total, limit } = weigh(input, options);
  const { records, pin } = input;
  if (total + input.blockSize <= limit)
    return { keep: new Uint8Array(records.length).fill(1), size: total, limit };
  const cutAt = options.boundary === "turn" ? cutAtTurn : cutByMessage;
  const keep = cutAt({ records, options, pin, weights, total, limit, reservedSize: input.reservedSize() });
  return { keep, size: sizeOf(weights, keep), limit };
}

function keepAll(input: WindowInput, options: WindowOptions): WindowChoice {
  const { total, limit } = weigh(input, options);
  return { keep: new Uint8Array(input.records.length).fill(1), size: total, limit };
}

function weigh(input: WindowInput, options: WindowOptions): Pick<CutInput, "weights" | "total" | "limit"> {
  const weights = new Float64Array(input.records.length);
  if (options.maxTokens === undefined) {
    return {
      weights: weights.fill(1),
      total: weights.length,
      limit: options.maxMessages ?? Number.POSITIVE_INFINITY,
    };
  }
  let total = 0;
  for (let index = 0; index < weights.length; index += 1) {
    const tokens = input.tokensOf(index);
    weights[index] = tokens;
    total += tokens;
  }
  return { weights, total, limit: options.maxTokens };
}

function sizeOf(weights: Float64Array, keep: Uint8Array): number {
  let size = 0;
  for (let index = 0; index < weights.length; index += 1) if (keep[index] === 1) size += weights[index] ?? 0;
  return size;
}

function indicesOf(keep: Uint8Array): number[] {
  const indices: number[] = [];
  for (let index = 0; index < keep.length; index += 1) if (keep[index] === 1) indices.push(index);
  return indices;
}
