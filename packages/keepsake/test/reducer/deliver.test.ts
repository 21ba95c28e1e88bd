import { expect, it } from "vitest";
import { MessageReducer } from "../../src/reducer/index.ts";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly id: string;
}

const list: Message[] = Array.from({ length: 12 }, (_, index) => ({
  role: "user",
  content: `message ${index}`,
  id: `${index}`,
}));

it("leaves the hooks out where deliver is false, and delivers later what was pruned then", async () => {
  const handed: string[] = [];
  const reducer = new MessageReducer<Message>({
    minMessages: 2,
    maxMessages: 4,
    onHookError: "retain",
    onPrune: [(pruned) => void handed.push(...pruned.map(({ id }) => id))],
  });
  const quiet = await reducer.reduce({ existing: list, deliver: false });
  expect(reducer.reduceSync({ existing: list, deliver: false })).toEqual(quiet);
  await reducer.flush();
  expect(handed).toEqual([]);
  expect(quiet.pruned.length).toBeGreaterThan(0);

  const { pruned } = await reducer.reduce({ existing: list, deliver: true });
  expect(pruned).toEqual(quiet.pruned);
  expect(handed).toEqual(pruned.map(({ id }) => id));
});
