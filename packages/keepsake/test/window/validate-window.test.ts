import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeepsakeError, validateWindow, type WindowProvider } from "../../src/index.ts";
import { parseNotation } from "../reducer-invariants/draft.ts";
import { FORMATS, writeHistory } from "../reducer-invariants/formats.ts";

const PROVIDERS: readonly WindowProvider[] = [
  "any",
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
  "bedrock",
];

/** `index:rule` of every violation, in order. */
function found(messages: readonly unknown[], provider?: WindowProvider): string {
  return validateWindow(messages, { provider })
    .map(({ index, rule }) => `${index}:${rule}`)
    .join(" ");
}

/** A conversation in the notation of the field reports, in OpenAI's chat format. */
const write = (notation: string): readonly unknown[] =>
  writeHistory(parseNotation(notation), "openai").messages;

describe("what every provider refuses", () => {
  const rows: readonly [string, string][] = [
    ["S U A[a,b] T(b) T(a) A U A[c] T(c)", ""],
    ["U A[a,b] T(a)", ""],
    ["U A[a]", ""],
    ["U A[a] A[b] T(b) T(a) A", ""],
    ["U A[a] O T(a) A", ""],
    ["", ""],
    ["U T(x) A", "1:orphan-result"],
    ["U A[a] T(a) T(a) A", "3:orphan-result"],
    ["U A[a] T(a) A T(a)", "4:orphan-result"],
    ["U A[a] T(b) A", "1:missing-result 2:orphan-result"],
    ["U A[a] U A", "1:missing-result"],
    ["U A[a,b] T(a) U A", "1:missing-result"],
    ["U A[a,b] U A", "1:missing-result 1:missing-result"],
    ["U A[a] A T(a)", "1:missing-result 3:orphan-result"],
    ["U A[a] F T(a)", "1:missing-result 3:orphan-result"],
    ["U A[a] T(a) A[b] U", "3:missing-result"],
    ["U A[a] T(a) A[b] T(b) A[c]", ""],
    ["U∅ U A∅", "0:empty-message 2:empty-message"],
    ["U ? A", "1:unreadable-message"],
  ];
  describe.each(PROVIDERS.filter((provider) => provider !== "bedrock"))("%s", (provider) => {
    it.each(rows)("%s: %s", (notation, violations) => {
      expect(found(write(notation), provider)).toBe(violations);
    });
  });

  it("is told of the tool parts of AI SDK 4's UI messages", () => {
    const message = (role: string, ...parts: object[]): object => ({ role, content: "so", parts });
    const invocation = (state: string): object => ({
      type: "tool-invocation",
      toolInvocation: {
        state,
        toolCallId: "c1",
        toolName: "f",
        args: {},
        result: state === "result" ? 1 : undefined,
      },
    });
    const user = message("user", { type: "text", text: "so" });
    expect(found([user, message("assistant", invocation("result")), user])).toBe("");
    expect(found([user, message("assistant", invocation("call"))])).toBe("");
    expect(found([user, message("assistant", invocation("call")), user])).toBe("1:missing-result");
  });

  it.each(FORMATS)("is told whatever the format: %s", (format) => {
    const of = (notation: string): string =>
      found(writeHistory(parseNotation(notation), format).messages, "openai-chat");
    expect(of("U A[a] U T(x) A")).toBe("1:missing-result 3:orphan-result");
    expect(of("S U A[a,b] T(b) T(a) A")).toBe("");
  });
});

describe("what only some providers refuse", () => {
  const allBut = (...providers: WindowProvider[]): WindowProvider[] =>
    PROVIDERS.filter((provider) => !providers.includes(provider));
  const rows: readonly [string, string, readonly WindowProvider[]][] = [
    ["S A U A", "1:first-not-user", allBut("openai-chat", "openai-responses")],
    ["A[a] T(a) U", "0:first-not-user", allBut("openai-chat", "openai-responses")],
    ["F O A U A", "2:first-not-user", allBut("openai-chat", "openai-responses")],
    ["S S U A S U A", "4:system-in-the-middle", allBut("openai-chat", "openai-responses")],
    ["F S U A", "", []],
    ["U A[a] T(a) A U A[a] T(a) A", "5:duplicate-call", ["any", "anthropic", "bedrock"]],
    ["U A[a,a] T(a)", "1:duplicate-call", ["any", "anthropic", "bedrock"]],
    ["U U A", "1:roles-alternate", ["bedrock"]],
    ["U S U", "2:roles-alternate", ["bedrock"]],
    ["U A A U", "2:roles-alternate", ["bedrock"]],
    ["U A[a] T(a) U", "3:roles-alternate", ["bedrock"]],
    ["U A[a,b] T(a) T(b) A", "", []],
  ];
  it.each(rows)("%s: %s by %s", (notation, violation, providers) => {
    for (const provider of PROVIDERS) {
      const violations = found(write(notation), provider).split(" ");
      expect([provider, violations.includes(violation)]).toEqual([
        provider,
        violation === "" ? violations[0] === "" : providers.includes(provider),
      ]);
    }
  });

  it("an item whose id was there before, by OpenAI's Responses alone", () => {
    const item = (id: string): unknown => ({ type: "reasoning", id, summary: [] });
    const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "21" }] };
    const list = (id: string): unknown[] => [{ role: "user", content: "hi" }, item(id), said, item(id), said];
    for (const provider of PROVIDERS) {
      const isTold = found(list("rs_1"), provider).includes("3:duplicate-item");
      expect([provider, isTold]).toEqual([provider, provider === "openai-responses"]);
    }
    expect(found(list("FAKE_ID"), "openai-responses")).toBe("");
  });

  it("a result behind the words of its message, by Anthropic alone", () => {
    const question = { role: "user", content: "how warm is it" };
    const call = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] };
    const text = { type: "text", text: "hurry" };
    const result = { type: "tool_result", tool_use_id: "a", content: "21" };
    const late = [question, call, { role: "user", content: [text, result] }];
    for (const provider of PROVIDERS)
      expect(found(late, provider)).toBe(provider === "anthropic" ? "2:result-after-text" : "");
    expect(found([question, call, { role: "user", content: [result, text] }], "anthropic")).toBe("");
  });
});

describe("a violation", () => {
  it("says which message, which value and what to do", () => {
    expect(validateWindow(write("U T($&) A"))).toEqual([
      {
        rule: "orphan-result",
        index: 1,
        message: 'messages[1] answers "$&", which the turn before it does not call.',
        fix: "Remove it.",
      },
    ]);
    for (const provider of PROVIDERS) {
      for (const { message, fix } of validateWindow(write("A[a,a] U∅ T(x) ? S U U"), { provider })) {
        expect(message).toMatch(/^messages\[\d\] .*[^.]\.$/);
        expect(fix).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  it("stands in the order of the messages", () => {
    expect(found(write("U A[a] U T(x)"))).toBe("1:missing-result 3:orphan-result");
  });
});

describe("what it is called with", () => {
  const codeOf = (call: () => unknown): string => {
    try {
      call();
      return "nothing";
    } catch (error) {
      return KeepsakeError.isInstance(error) ? `${error.code}: ${error.message}` : String(error);
    }
  };

  it("refuses an unknown provider with the one that is meant", () => {
    const validate = (provider: string): string =>
      codeOf(() => validateWindow([], { provider: provider as WindowProvider }));
    expect(validate("antropic")).toMatch(/^invalid_input: .*"antropic".*Did you mean "anthropic"\?/);
    expect(validate("openai")).toMatch(/Did you mean "openai-chat"\?/);
    expect(validate("zzz")).toMatch(/Known are any, openai-chat/);
    expect(validate("toString")).toMatch(/^invalid_input/);
  });

  it.each([[undefined], [null], ["text"], [{ length: 1 }], [{ messages: [] }]])(
    "refuses %j as no array",
    (value) => {
      expect(codeOf(() => validateWindow(value as unknown as unknown[]))).toMatch(/^invalid_input/);
    },
  );

  it("takes any value in the list, and holes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.anything(), { maxLength: 12 }),
        fc.constantFrom(...PROVIDERS),
        (messages, provider) => {
          for (const { index } of validateWindow(messages, { provider }))
            expect(index).toBeLessThan(messages.length);
        },
      ),
      { numRuns: 1000, seed: 20_261_130 },
    );
    expect(found(new Array(2))).toBe("0:unreadable-message 1:unreadable-message");
    const throwing = {
      get role(): string {
        throw new Error("no");
      },
    };
    expect(found([throwing])).toBe("0:unreadable-message");
  });

  it("changes no message", () => {
    const messages = write("U A[a] T(a) A");
    const before = JSON.stringify(messages);
    validateWindow(messages);
    expect(JSON.stringify(messages)).toBe(before);
  });
});
