// What Asha says to her travel agent in thirty turns. Five of them are worth remembering.
import assert from "node:assert/strict";

const worthRemembering: Readonly<Record<number, string>> = {
  0: "I live in Pune.",
  3: "I always take the aisle seat.",
  7: "I am allergic to peanuts.",
  12: "My budget for hotels is 120 euros a night.",
  18: "I never fly before nine in the morning.",
};

/** A turn in which the agent writes a memory by itself. */
export const request = "Please remember that I collect miles with Star Alliance.";

export const turns: readonly string[] = Array.from({ length: 30 }, (_, index) => {
  if (index === 25) return request;
  return worthRemembering[index] ?? `What is there to see in city ${index}?`;
});

assert.equal(turns.filter((turn) => /^(I|My) /.test(turn)).length, 5);
