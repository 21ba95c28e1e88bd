import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rememberVerbatim } from "../../../src/memory/index.ts";
import { InMemoryStore } from "../../../src/store/index.ts";
import { deliver, turnsIn } from "./harness.ts";

interface Message {
  id: string;
  role: string;
  content: string;
  timestamp?: string;
}

const words = ["Lisbon", "hotel", "booked", "and", "the", "train", "Ana", "?", "yes"];
const conversation: fc.Arbitrary<Message[]> = fc
  .array(
    fc.record({
      role: fc.constantFrom("user", "assistant"),
      text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }),
      day: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((turns) =>
    turns.map(({ role, text, day }, index) => ({
      id: `m${index}`,
      role,
      content: text.join(" "),
      ...(day === null ? {} : { timestamp: `2024-05-0${day}T12:00:00Z` }),
    })),
  );

describe("a conversation that is delivered in parts", () => {
  it("is stored as if it had come at once, whatever the parts, and whatever is delivered again", async () => {
    await fc.assert(
      fc.asyncProperty(
        conversation,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 14, maxLength: 14 }),
        fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { minLength: 14, maxLength: 14 }),
        async (messages, sizes, repeats) => {
          const whole = new InMemoryStore();
          await deliver(rememberVerbatim(whole), messages);

          const parts = new InMemoryStore();
          let start = 0;
          for (const [part, size] of sizes.entries()) {
            if (start >= messages.length) break;
            // A hook of its own for every delivery: nothing but the store carries over, as after a restart.
            await deliver(rememberVerbatim(parts), messages.slice(start, start + size));
            start += size;
            const [from = 0, to = 0] = repeats[part] ?? [];
            await deliver(rememberVerbatim(parts), messages.slice(0, start).slice(from, to + 1));
          }
          expect(await turnsIn(parts)).toEqual(await turnsIn(whole));
        },
      ),
      { numRuns: 150 },
    );
  });
});
