// Run by durable-exit.test.ts in a process of its own; the argument says what to do.
import { durable, InMemoryOutbox } from "../../src/delivery/index.ts";

const logger = { debug: () => {}, warn: (text: string) => console.log(`warning: ${text}`) };
const outbox = new InMemoryOutbox();
const hook = durable<string>(
  async ([text]) => {
    if (process.argv[2] === "rejects") throw new Error("always");
    // A hook whose own timers do not keep the process alive.
    await new Promise((resolve) => setTimeout(resolve, 50).unref());
    console.log(`done: ${text}`);
  },
  { name: "remember", outbox, logger, maxAttempts: 2, backoff: () => 3_600_000 },
);
process.on("unhandledRejection", () => console.log("unhandled"));

if (process.argv[2] !== "idle") await hook(["a"], ["memories", "asha"]);
hook.start();
process.on("exit", () => console.log(`ended with ${JSON.stringify(outbox.stats())}`));
