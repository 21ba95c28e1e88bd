import fc from "fast-check";
import { expect, test } from "vitest";
import { durable, InMemoryOutbox } from "../../src/delivery/index.ts";
import { viewOf } from "../../src/message/index.ts";
import { MessageReducer, type ReducerConfig } from "../../src/reducer/index.ts";
import { validateWindow } from "../../src/window/index.ts";
import { history, type Plain } from "../reducer/histories.ts";

const quiet = { debug: () => {}, warn: () => {} };
const asha = ["memories", "asha"];

/** Exchanges as {@link history} writes them: sound ones, and ones that repair removes. */
const words = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom("U A", "U A[#] T(#) A", "U A[#,#x] T(#) T(#x) A") },
      { weight: 2, arbitrary: fc.constantFrom("T(#)", "A[#]", "A[#,#x] T(#)", "U", "A") },
    ),
    { minLength: 2, maxLength: 12 },
  )
  .map((exchanges) => exchanges.map((words, index) => words.replaceAll("#", `c${index}`)).join(" "))
  .map((line) => `U A ${line} U`);

/** What is wrong with a message beside that: it has no JSON, `redact` fails on it, it is too long. */
const faults = fc.array(fc.constantFrom("", "", "", "", "", "function", "redact", "long", "long function"), {
  minLength: 8,
  maxLength: 8,
});

const configs: fc.Arbitrary<ReducerConfig<Plain>> = fc.record({
  maxMessages: fc.constantFrom(6, 8),
  minMessages: fc.constantFrom(1, 4),
  preserveFirst: fc.boolean(),
  boundary: fc.constantFrom("turn", "message"),
  onHookError: fc.constantFrom("skip", "retain"),
  maxMessageTokens: fc.constantFrom(undefined, 60),
  injectSummary: fc.boolean(),
});

function withFaults(line: string, kinds: readonly string[]): Plain[] {
  return history(line).map((message, index) => {
    const kind = kinds[(index * 5) % kinds.length] ?? "";
    if (kind.includes("long") && message.content !== null) message.content += " word".repeat(300);
    if (kind.includes("function")) return Object.assign(message, { run: () => 1 });
    return kind === "redact" ? Object.assign(message, { secret: true }) : message;
  });
}

const isStuck = (message: Plain): boolean => "run" in message || "secret" in message;

function redact(message: Plain): Plain {
  if ("secret" in message) throw new Error("no");
  return message;
}

test("whatever is in a list: each message is in the window or handed over once, and what can leave is not held back", async () => {
  await fc.assert(
    fc.asyncProperty(
      words,
      faults,
      configs,
      fc.integer({ min: 1, max: 5 }),
      async (line, kinds, config, step) => {
        const list = withFaults(line, kinds);
        const outbox = new InMemoryOutbox();
        const kept: (string | undefined)[] = [];
        const inline: (string | undefined)[] = [];
        const take = (seen: (string | undefined)[]) => (pruned: Plain[]) =>
          void seen.push(...pruned.map((message) => viewOf(message).id));
        const hook = durable<Plain>(take(kept), { name: "remember", outbox, logger: quiet });
        const reducer = new MessageReducer<Plain>({
          ...config,
          onPrune: [take(inline), hook],
          redact,
          summarize: () => "What was said.",
          logger: quiet,
        });
        let window: Plain[] = [];
        for (let start = 0; start < list.length; start += step) {
          const input = { existing: window, new: list.slice(start, start + step), namespace: asha };
          // Two at once, as from two tabs: they share what leaves.
          const [{ surviving }, other] = await Promise.all([reducer.reduce(input), reducer.reduce(input)]);
          expect(other.surviving).toEqual(surviving);
          window = surviving;
        }
        await hook.drain();
        const whole = list.filter((message) => window.includes(message));
        expect([...kept, ...whole.map(({ id }) => id)].sort()).toEqual(list.map(({ id }) => id).sort());
        expect([...inline].sort()).toEqual([...kept].sort());
        expect(whole).toEqual(expect.arrayContaining(list.filter(isStuck)));
        if (!list.some(isStuck) && config.boundary === "turn") expect(validateWindow(window)).toEqual([]);
        // A stuck message keeps its exchange, and the first user message before it: at most four beside it.
        const room = (config.maxMessages ?? 0) + 5 * list.filter(isStuck).length;
        expect(window.length).toBeLessThanOrEqual(room);
      },
    ),
    { numRuns: 150 },
  );
});
