import type { MemoryEngineOptions, MemoryEvent } from "../../../src/memory/engine/index.ts";
import { MemoryEngine } from "../../../src/memory/engine/index.ts";
import type { Consolidator, Extractor, Fact } from "../../../src/memory/types.ts";
import { InMemoryStore, type Store } from "../../../src/store/index.ts";

export const asha: string[] = ["memories", "asha"];

/** Each line of what is said is a fact. */
export const lines: Extractor = (transcript) =>
  transcript.flatMap(({ text, id, role, name }): Fact[] =>
    text.split("\n").map((content) => ({ content, role, name, messageIds: id === undefined ? [] : [id] })),
  );

export const insertAll: Consolidator = () => [];

export interface Kit {
  readonly engine: MemoryEngine;
  readonly store: Store;
  readonly events: MemoryEvent[];
  /** How often the extractor and the consolidator were asked. */
  calls(): number;
  /** The contents in a namespace, in order of the alphabet. */
  contents(namespace?: readonly string[]): Promise<unknown[]>;
}

export function kit(options: Partial<MemoryEngineOptions> = {}): Kit {
  const { store = new InMemoryStore() } = options;
  const events: MemoryEvent[] = [];
  const logger = { debug: () => undefined, warn: () => undefined };
  const engine = new MemoryEngine({
    ...{ extractor: lines, consolidator: insertAll, logger },
    ...options,
    store,
    onEvent: (event) => events.push(event),
  });
  return {
    engine,
    store,
    events,
    calls: () => events.filter(({ type }) => type === "model_call").length,
    contents: async (namespace = asha) =>
      (await engine.list(namespace, { limit: 10_000 })).map(({ content }) => content).sort(),
  };
}

/** A promise, and what settles it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
