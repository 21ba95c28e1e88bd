// A delivery that cannot be done is kept with its messages and its error until someone decides.
import assert from "node:assert/strict";
import { durable, InMemoryOutbox } from "keepsake";

let isModelAway = true;
const extract = async (): Promise<void> => {
  if (isModelAway) throw new Error("The model is away.");
};

// #region letters
const remember = durable(extract, {
  name: "remember",
  outbox: new InMemoryOutbox(),
  maxAttempts: 2,
  backoff: (attempt) => 100 * attempt,
  onEvent: ({ type, deliveryId, error }) => {
    if (type === "dead") alertSomeone(deliveryId, error);
  },
});
// #endregion

const alerts: string[] = [];
function alertSomeone(deliveryId: string, error: unknown): void {
  alerts.push(deliveryId);
  assert.match(String(error), /The model is away/);
}

remember.start();
await remember([{ role: "user", content: "I moved to Graz." }], ["memories", "asha"]);
await remember.idle();
assert.equal(alerts.length, 1);
isModelAway = false;

// #region retry
for (const { deliveryId, error, bodies } of await remember.deadLetters()) {
  console.log(deliveryId, error, bodies.length);
  await remember.retry(deliveryId); // or discard(deliveryId)
}
// #endregion
await remember.idle();
assert.deepEqual((await remember.stats()).done, 1);
await remember.stop();
