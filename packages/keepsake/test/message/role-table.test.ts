import { describe, expect, it } from "vitest";
import { viewOf } from "../../src/message/index.ts";
import { MessageReducer } from "../../src/reducer/index.ts";

/** The table of the design, and the spellings of serialised classes. */
const table: readonly (readonly [name: string, role: string, pruned: "yes" | "never" | "with its call"])[] = [
  ["human", "human", "yes"],
  ["user", "human", "yes"],
  ["HumanMessageChunk", "human", "yes"],
  ["ai", "ai", "yes"],
  ["assistant", "ai", "yes"],
  ["agent", "ai", "yes"],
  ["model", "ai", "yes"],
  ["AIMessageChunk", "ai", "yes"],
  ["system", "system", "never"],
  ["developer", "system", "never"],
  ["tool", "tool", "with its call"],
  ["function", "function", "never"],
  ["critic", "other", "never"],
  ["User", "other", "never"],
  ["", "other", "never"],
  ["constructor", "other", "never"],
  ["__proto__", "other", "never"],
];

class Getters {
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
  }
  get role(): string {
    return this.#name;
  }
  get content(): string {
    return "text";
  }
}

class Typed {
  readonly type: string;
  readonly content = "text";
  constructor(type: string) {
    this.type = type;
  }
}

describe.each(table)("role %j", (name, role, pruned) => {
  const shapes: readonly (readonly [string, unknown])[] = [
    ["{ role }", { role: name, content: "text" }],
    ["{ type }", { type: name, content: "text" }],
    ["a class instance with a getter", new Getters(name)],
    ["a class instance with type", new Typed(name)],
    ["{ type, data }", { type: name, data: { content: "text" } }],
    ["no prototype", Object.assign(Object.create(null), { role: name, content: "text" })],
  ];
  it.each(shapes)(`is ${role} in %s`, (_, message) => {
    expect(viewOf(message)).toMatchObject({ role, text: "text" });
  });

  if (pruned === "with its call") return;
  it(`is pruned: ${pruned}`, async () => {
    const message = { role: name, content: "text" };
    const later = Array.from({ length: 6 }, (_, index) => ({ role: "user", content: `later ${index}` }));
    for (const boundary of ["turn", "message"] as const) {
      const reducer = new MessageReducer({ maxMessages: 3, minMessages: 2, boundary });
      const result = await reducer.reduce({
        existing: [{ role: "system", content: "prompt" }, message, ...later],
      });
      expect(result.pruned.includes(message)).toBe(pruned === "yes");
      expect(result.surviving.includes(message)).toBe(pruned === "never");
    }
  });
});
