import fc from "fast-check";
import { MessageReducer } from "keepsake";
import { expect, test, vi } from "vitest";
import { feed } from "../src/conversation/feed.ts";
import type { Message } from "../src/conversation/parse-conversation.ts";

const scope = { namespace: ["m"], threadId: "t" };

test("everything either stays or leaves, once, and knows its place", async () => {
  const role = fc.constantFrom("user", "assistant", "system", "tool", "critic");
  await fc.assert(
    fc.asyncProperty(
      fc.array(role, { maxLength: 80 }),
      fc.integer({ min: 1, max: 30 }),
      async (roles, maxMessages) => {
        const messages: Message[] = roles.map((name, index) => ({
          role: name,
          id: `${index}`,
          content: "x",
        }));
        const { stayed, left } = await feed(
          new MessageReducer({ maxMessages, logger: quiet }),
          messages,
          scope,
        );
        const indexes = [...stayed, ...left].map(({ index }) => index);
        expect(indexes.sort((a, b) => a - b)).toEqual(messages.map((_, index) => index));
        for (const { index, message } of [...stayed, ...left]) expect(message).toBe(messages[index]);
      },
    ),
    { numRuns: 60 },
  );
});

test("a turn is fed as a whole: the reducer is called once for each", async () => {
  const reducer = new MessageReducer<Message>();
  const reduce = vi.spyOn(reducer, "reduce");
  const roles = ["system", "user", "assistant", "tool", "assistant", "user", "assistant"];
  await feed(
    reducer,
    roles.map((role) => ({ role, content: "x" })),
    scope,
  );
  expect(reduce.mock.calls.map(([{ new: incoming }]) => incoming?.length)).toEqual([1, 4, 2]);
});

test("a window without a limit is reduced a logarithmic number of times", async () => {
  const reducer = new MessageReducer<Message>({ maxMessages: null });
  const reduce = vi.spyOn(reducer, "reduce");
  const messages = Array.from({ length: 20_000 }, (_, index) => ({ role: "user", content: `${index}` }));
  const { stayed } = await feed(reducer, messages, scope);
  expect(stayed).toHaveLength(20_000);
  expect(reduce.mock.calls.length).toBeLessThan(600);
});

test("a turn of 200 000 messages is handed over whole", async () => {
  let delivered = 0;
  const reducer = new MessageReducer<Message>({
    onPrune: [
      (pruned) => {
        delivered += pruned.length;
      },
    ],
  });
  const messages = Array.from({ length: 200_000 }, (_, index) => ({
    role: "assistant",
    id: `${index}`,
    content: "x",
  }));
  const { stayed, left } = await feed(reducer, messages, scope);
  expect(left.length + stayed.length).toBe(200_000);
  expect(delivered).toBe(left.length);
});

const quiet = { debug: () => {}, warn: () => {} };
