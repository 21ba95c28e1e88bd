import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { type DurableEvent, durable, InMemoryOutbox } from "../../src/delivery/index.ts";
import { type Message, message } from "./harness.ts";

test.each(["stop", "drain"] as const)("%s lets go of a hook that heeds no signal", async (how) => {
  let settle = (): void => {};
  const gate = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const events: DurableEvent[] = [];
  const outbox = new InMemoryOutbox();
  const hook = durable<Message>(() => gate, {
    ...{ name: "remember", outbox, leaseMs: 100, onEvent: (event) => events.push(event) },
    logger: { debug: () => {}, warn: () => {} },
  });
  await hook([message("a", "1")], ["memories", "asha"]);
  if (how === "stop") hook.start();
  await sleep(5);
  await hook[how]({ deadlineMs: 10 });
  await sleep(150); // The lease is over, and nobody renews it.
  const [again] = await outbox.lease("remember", { limit: 1, leaseMs: 60_000 });
  expect(again).toMatchObject({ attempt: 2 });
  await hook.stop(); // Waits for nothing any more.
  settle();
  await vi.waitFor(() => expect(events).toMatchObject([{ type: "lost", attempt: 1 }]));
  expect(await outbox.complete(again?.token ?? "")).toBe(true);
});
