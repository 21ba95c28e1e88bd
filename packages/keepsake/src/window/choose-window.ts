import type { MessageRecord } from "../message/index.ts";
import { cutByMessage } from "./message-boundary.ts";
import { findSound } from "./repair.ts";
import { cutAtTurn } from "./turn-boundary.ts";
import type { WindowChoice, WindowInput, WindowOptions } from "./types.ts";

/** Decides which messages stay. Pure: the same input gives the same window. O(n). */
export function chooseWindow(input: WindowInput, options: WindowOptions): WindowChoice {
  const repair = (indices: readonly number[]): readonly number[] =>
    options.repair && options.cascadeToolMessages
      ? subset(indices, findSound(recordsAt(input, indices)))
      : indices;
  const readable = readableIndices(input.records);
  const stay =
    options.boundary === "turn"
      ? cut(input, options, repair(readable))
      : repair(cut(input, options, readable));
  const keep = new Uint8Array(input.records.length);
  let size = 0;
  for (const index of stay) {
    keep[index] = 1;
    size += weightOf(input, options, index);
  }
  return { keep, size, limit: limitOf(options) };
}

/** The indices that stay by the limits: all under the trigger, else what the boundary lets stay. */
function cut(input: WindowInput, options: WindowOptions, indices: readonly number[]): readonly number[] {
  const weights = Float64Array.from(indices, (index) => weightOf(input, options, index));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const limit = limitOf(options);
  if (total + input.blockSize <= limit) return indices;
  const { pin } = input;
  const cutAt = options.boundary === "turn" ? cutAtTurn : cutByMessage;
  const keep = cutAt({
    records: recordsAt(input, indices),
    options,
    pin: pin && ((place) => pin(indices[place] as number)),
    weights,
    total,
    limit,
    reservedSize: input.reservedSize(),
  });
  return subset(indices, keep);
}

function weightOf(input: WindowInput, options: WindowOptions, index: number): number {
  return options.maxTokens === undefined ? 1 : input.tokensOf(index);
}

function limitOf({ maxTokens, maxMessages }: WindowOptions): number {
  return maxTokens ?? maxMessages ?? Number.POSITIVE_INFINITY;
}

function readableIndices(records: WindowInput["records"]): readonly number[] {
  const indices: number[] = [];
  for (let index = 0; index < records.length; index += 1)
    if (records[index] !== undefined) indices.push(index);
  return indices;
}

function recordsAt(input: WindowInput, indices: readonly number[]): MessageRecord[] {
  return indices.map((index) => input.records[index] as MessageRecord);
}

function subset(indices: readonly number[], keep: Uint8Array | undefined): readonly number[] {
  return keep === undefined ? indices : indices.filter((_, place) => keep[place] === 1);
}
