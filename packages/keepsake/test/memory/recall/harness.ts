import type { RecallSettings } from "../../../src/memory/recall/types.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { hashingEmbedder } from "../../../src/testing/index.ts";

export const now = Date.parse("2026-11-30T12:00:00Z");
export const namespace = ["memories", "asha"];

export const settings: RecallSettings = {
  semanticWeight: 0.5,
  recencyWeight: 0.3,
  importanceWeight: 0.2,
  recencyHalfLifeDays: 30,
  recallOversample: 3,
  defaultImportance: 0.5,
  touchOnRecall: false,
  now: () => now,
  logger: { debug: () => undefined, warn: (...words) => expectNoWarning(words) },
};

export const keywordStore = (): InMemoryStore =>
  new InMemoryStore({ now: () => now, index: { fields: ["content"] } });
export const vectorStore = (): InMemoryStore =>
  new InMemoryStore({ now: () => now, index: { fields: ["content"], embed: hashingEmbedder() } });

/** A time so many days ago. */
export function daysAgo(days: number): string {
  return new Date(now - days * 24 * 60 * 60 * 1000).toISOString();
}

function expectNoWarning(words: readonly unknown[]): void {
  throw new Error(`unexpected warning: ${words.join(" ")}`);
}
