// The pruning rules and the defaults of agentstate-reducer.
import assert from "node:assert/strict";
import { MessageReducer } from "keepsake";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly args: object }[];
  readonly tool_call_id?: string;
}

const system: Message = { role: "system", content: "You are helpful" };

/** `count` messages of user and assistant in turn. */
function turns(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `message ${index + 1}`,
  }));
}

// Windowed: nothing happens at 20 messages, and at 21 the first and the latest ten remain.
const byDefault = new MessageReducer<Message>();
const atLimit = await byDefault.reduce({ existing: [system], new: turns(19) });
assert.equal(atLimit.pruned.length, 0);
const beyond = await byDefault.reduce({ existing: [system], new: turns(20) });
assert.deepEqual(beyond.surviving, [system, ...turns(20).slice(-10)]);

// `maxMessages: null` never prunes by count, as `max_messages=None` there.
const unlimited = new MessageReducer<Message>({ maxMessages: null });
assert.equal((await unlimited.reduce({ existing: turns(500) })).pruned.length, 0);

// The first message is preserved, whatever it is, unless `preserveFirst` is false.
const greeting: Message = { role: "assistant", content: "Hello, how can I help?" };
assert.equal((await byDefault.reduce({ existing: [greeting], new: turns(30) })).surviving[0], greeting);
const withoutFirst = new MessageReducer<Message>({ preserveFirst: false });
const { surviving } = await withoutFirst.reduce({ existing: [greeting], new: turns(30) });
assert.deepEqual(surviving, turns(30).slice(-10));

// System messages stay wherever they stand; tool messages go with the message that called the tool, parallel calls included.
const note: Message = { role: "system", content: "The user is on a phone" };
const call: Message = {
  role: "assistant",
  content: "",
  tool_calls: [
    { id: "a", name: "weather", args: { city: "Lisbon" } },
    { id: "b", name: "weather", args: { city: "Porto" } },
  ],
};
const results: Message[] = [
  { role: "tool", content: "19 °C", tool_call_id: "b" },
  { role: "tool", content: "21 °C", tool_call_id: "a" },
];
const asked: Message = { role: "user", content: "How warm is it?" };
const cascade = await byDefault.reduce({ existing: [system, asked, call, ...results, note], new: turns(20) });
assert.deepEqual(cascade.surviving.slice(0, 2), [system, note]);
assert.deepEqual(cascade.pruned.slice(0, 4), [asked, call, ...results]);

// Without the cascade tool messages are never pruned, as `cascade_tool_messages=False` there.
const noCascade = new MessageReducer<Message>({
  cascadeToolMessages: false,
  boundary: "message",
});
const apart = await noCascade.reduce({ existing: [system, asked, call, ...results], new: turns(20) });
assert.deepEqual(apart.surviving.slice(0, 3), [system, ...results]);
