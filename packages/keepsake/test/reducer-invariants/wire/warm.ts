import fc from "fast-check";
import { MessageReducer } from "../../../src/index.ts";
import { randomLimits } from "../limits.ts";
import type { Runs } from "../properties.ts";
import { damage, damages } from "./damage.ts";
import type { Wire, WireFormat } from "./format.ts";
import { scripts } from "./script.ts";

const SILENT = { debug: () => {}, warn: () => {} };

/** What a host does to its list between two turns. */
const edits = fc.array(
  fc.record({
    op: fc.constantFrom("grow", "grow", "grow", "shrink", "remove", "repeat", "swap"),
    at: fc.nat(1000),
    count: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 2, maxLength: 8 },
);

/** A reducer that has followed a list through changes decides as a new one does that has never seen its messages. */
export async function checkWarmFormat(format: WireFormat, runs: Runs): Promise<void> {
  const inputs = fc.record({
    beats: scripts,
    hurts: damages,
    limits: randomLimits({ repair: true, pin: false, injectSummary: false }),
    edits,
  });
  const property = fc.property(inputs, ({ beats, hurts, limits, edits: done }) => {
    const whole: readonly Wire[] = hurts.reduce<readonly Wire[]>(
      (rest, one, at) => damage(rest, format, one, `d${at}`),
      format.write(beats),
    );
    const all = whole.map(({ message }) => structuredClone(message));
    const { pin: _, maxTokens, targetTokens: __, ...rest } = limits;
    const config = {
      ...rest,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      tokenCounter: (message: unknown): number => JSON.stringify(message).length % 40,
      logger: SILENT,
    };
    const reducer = new MessageReducer<unknown, unknown>(config);
    let list: unknown[] = [];
    for (const { op, at, count } of done) {
      list = edit(list, all, op, at, count);
      const warm = reducer.reduceSync({ existing: list });
      const copy = structuredClone(list);
      const cold = new MessageReducer<unknown, unknown>(config).reduceSync({ existing: copy });
      const seen = warm.surviving.map((message) => list.indexOf(message)).join();
      const expected = cold.surviving.map((message) => copy.indexOf(message)).join();
      if (seen === expected) continue;
      throw new Error(`${format.name}: followed ${seen}, anew ${expected}\n${JSON.stringify(list)}`);
    }
  });
  await fc.assert(property, runs);
}

function edit(
  list: readonly unknown[],
  all: readonly unknown[],
  op: string,
  at: number,
  count: number,
): unknown[] {
  const index = list.length === 0 ? 0 : at % list.length;
  switch (op) {
    case "grow":
      return [...list, ...all.slice(list.length, list.length + count)];
    case "shrink":
      return list.slice(0, Math.max(0, list.length - count));
    case "remove":
      return list.toSpliced(index, 1);
    case "repeat":
      return list.toSpliced(at % (list.length + 1), 0, ...list.slice(index, index + 1));
    default:
      return list.toSpliced(index, 1).toSpliced(index + 1, 0, ...list.slice(index, index + 1));
  }
}
