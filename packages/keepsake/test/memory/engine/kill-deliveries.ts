import { randomFrom } from "../../stores/isolation-search.ts";

export const namespace: string[] = ["memories", "asha"];

/** Each batch twice, in an order of its own for each seed. */
export function deliveries(seed: number, batches: number): number[] {
  const random = randomFrom(seed);
  const all = Array.from({ length: batches * 2 }, (_, index) => index % batches);
  return all
    .map((batch) => ({ batch, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ batch }) => batch);
}

export function textOf(batch: number): string {
  return `Conversation ${batch}`;
}

export function batchOf(text: string): number {
  return Number(/^(?:Conversation|batch) (\d+)/.exec(text)?.[1]);
}
