import fc from "fast-check";
import type { Draft } from "./draft.ts";

/** The part of a reducer's configuration that decides what stays, in the terms of the oracle. */
export interface Limits {
  readonly maxMessages: number | null;
  readonly minMessages: number;
  readonly maxTokens: number | undefined;
  readonly targetTokens: number | undefined;
  readonly preserveFirst: boolean;
  readonly boundary: "turn" | "message";
  readonly repair: boolean;
  readonly pin: boolean;
  readonly injectSummary: boolean;
}

const counts = fc
  .tuple(fc.integer({ min: 1, max: 24 }), fc.nat(1000), fc.integer({ min: 0, max: 19 }))
  .map(([max, share, never]) => ({
    maxMessages: never === 19 ? null : max,
    minMessages: Math.floor((max * share) / 1000),
  }));

const tokens = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ maxTokens: undefined, targetTokens: undefined }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 900 }), fc.nat(1000), fc.boolean())
      .map(([max, share, target]) => ({
        maxTokens: max,
        targetTokens: target ? Math.max(1, Math.ceil((max * share) / 1000)) : undefined,
      })),
  },
);

/** Random limits; what `fixed` holds is the same in all of them. */
export function randomLimits(fixed: Partial<Limits> = {}): fc.Arbitrary<Limits> {
  const often = fc.integer({ min: 0, max: 3 }).map((n) => n > 0);
  return fc
    .record({
      counts,
      tokens,
      preserveFirst: often,
      boundary: fc.constantFrom<Limits["boundary"]>("turn", "turn", "message"),
      repair: often,
      pin: fc.boolean(),
      injectSummary: fc.integer({ min: 0, max: 3 }).map((n) => n === 3),
    })
    .map(({ counts: byCount, tokens: byTokens, ...rest }) => ({
      ...byCount,
      ...byTokens,
      ...rest,
      ...fixed,
    }));
}

/** The size that the limit is about: tokens where `maxTokens` is set, else messages. */
export function sizeOf(drafts: readonly Draft[], limits: Limits): number {
  if (limits.maxTokens === undefined) return drafts.length;
  return drafts.reduce((sum, draft) => sum + (draft.role === "unreadable" ? 0 : draft.tokens), 0);
}

/** What a window may hold. */
export function limitOf(limits: Limits): number {
  return limits.maxTokens ?? limits.maxMessages ?? Number.POSITIVE_INFINITY;
}
