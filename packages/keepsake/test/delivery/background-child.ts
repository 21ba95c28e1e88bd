// Run by background-exit.test.ts in a process of its own; the argument says what to do.
import { background } from "../../src/delivery/index.ts";

const context = { deliveryId: "d", attempt: 1, threadId: undefined, signal: new AbortController().signal };
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const logger = { debug: () => {}, warn: (text: string) => console.log(`warning: ${text}`) };
const hooks = Array.from({ length: 12 }, (_, index) =>
  background<number, string[]>(
    async ([number]) => {
      await soon();
      console.log(`done: ${index}.${number}`);
    },
    { logger },
  ),
);
const enqueue = (): void => {
  for (const hook of hooks) for (const number of [1, 2]) hook([number], ["a"], context);
};

const listeners = (): number => process.listenerCount("exit");
const before = listeners();

enqueue();
console.log(`listeners: ${listeners() - before}`);
if (process.argv[2] === "exit") setTimeout(() => process.exit(0), 0);
if (process.argv[2] === "close") {
  await Promise.all(hooks.map((hook) => hook.close()));
  console.log(`listeners: ${listeners() - before}`);
  process.exit(0);
}
