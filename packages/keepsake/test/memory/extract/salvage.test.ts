import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { salvageJson } from "../../../src/memory/salvage.ts";
import "../../seed.ts";

const values = (text: string): unknown[] => salvageJson(text).map(({ value }) => value);

const facts = { facts: [{ content: "Likes tea." }] };

describe("salvageJson", () => {
  test.each<[string, string, unknown[]]>([
    ["plain", '{"facts":[{"content":"Likes tea."}]}', [facts]],
    ["in a fence", '```json\n{"facts":[{"content":"Likes tea."}]}\n```', [facts]],
    ["in a fence that is not closed", '```json\n{"facts":[{"content":"Likes tea."}]}', [facts]],
    ["within prose", 'Sure! Here it is: {"facts":[{"content":"Likes tea."}]} Anything else?', [facts]],
    ["behind braces that hold none", 'text {not json} {"facts":[{"content":"Likes tea."}]}', [facts]],
    ["behind a reference", 'As said in [1]: {"facts":[{"content":"Likes tea."}]}', [[1], facts]],
    ["with trailing commas", '{"facts":[{"content":"Likes tea.",},],}', [facts]],
    ["with single quotes", "{'facts': [{'content': 'Likes tea.'}]}", [facts]],
    [
      "with typographic quotes",
      "{\u201cfacts\u201d: [{\u201ccontent\u201d: \u201cLikes tea.\u201d}]}",
      [facts],
    ],
    ["with bare keys", '{facts: [{content: "Likes tea."}]}', [facts]],
    ["with comments", '{"facts": [ // one\n {"content": /* what */ "Likes tea."} # end\n ]}', [facts]],
    ["with Python's words", '{"a": True, "b": False, "c": None}', [{ a: true, b: false, c: null }]],
    [
      "with forgotten commas",
      '{"facts": [{"content": "a"\n"subject": "b"} {"content": "c"}]}',
      [{ facts: [{ content: "a", subject: "b" }, { content: "c" }] }],
    ],
    ["with raw line breaks and tabs", '{"a": "one\ntwo\tthree\u0001"}', [{ a: "one\ntwo\tthree\u0001" }]],
    ["with a lone surrogate", '{"a": "x\\ud800y"}', [{ a: "x\ufffdy" }]],
    ["with a pair of them", '{"a": "\\ud83d\\ude00"}', [{ a: "\u{1f600}" }]],
    ["with a bad escape", '{"a": "C:\\users \\u12 \\_ \\\' \\x"}', [{ a: "C:\\users \\u12 _ ' \\x" }]],
    [
      "with inner quotes",
      '{"a": "He said "well, hi", then left", "b": 1}',
      [{ a: 'He said "well, hi", then left', b: 1 }],
    ],
    ["encoded twice", JSON.stringify(JSON.stringify(facts)), [facts]],
    ["encoded three times", JSON.stringify(JSON.stringify(JSON.stringify(facts))), [facts]],
    ["encoded twice within prose", `Answer: ${JSON.stringify(JSON.stringify(facts, null, 2))}.`, [facts]],
    ["encoded twice in a fence", `\`\`\`\n${JSON.stringify(JSON.stringify(facts))}\n\`\`\``, [facts]],
    ["several", '{"a":1}{"b":2}\n{"c":3}', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ["behind thoughts", '<think>{"facts":["draft"]}</think>{"facts":[{"content":"Likes tea."}]}', [facts]],
    ["thoughts alone", '<think>{"facts":["draft"]}', []],
    ["prose alone", "I can't help with that. [see the policy] {sorry}", []],
    ["nothing", "", []],
    ["a bare array", '["a","b"]', [["a", "b"]]],
    ["a number in a fence", "```\n42\n```", [42]],
  ])("reads JSON %s", (_name, text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  test.each<[string, string, unknown]>([
    ["in a list", '{"facts":[{"content":"a"},{"content":"b', { facts: [{ content: "a" }] }],
    [
      "behind a complete member of an unfinished fact",
      '{"facts":[{"content":"a"},{"content":"b",',
      {
        facts: [{ content: "a" }],
      },
    ],
    ["before the first", '{"facts": [', { facts: [] }],
    ["in a number", '{"a": 1, "b": 12', { a: 1 }],
    ["in a word", '{"a": 1, "b": tru', { a: 1 }],
    ["with prose", '{"facts":[{"content":"a"}, and so on', { facts: [{ content: "a" }] }],
    ["with the wrong bracket", '{"facts":[{"content":"a"}}', { facts: [{ content: "a" }] }],
  ])("keeps what is complete of a value that breaks off %s", (_name, text, expected) => {
    expect(salvageJson(text)).toMatchObject([{ value: expected, complete: false }]);
  });

  test("a key such as __proto__ is a key like any other", () => {
    const [value] = values('{"__proto__": {"polluted": true}}');
    expect(Object.keys(Object(value))).toEqual(["__proto__"]);
    expect(Object({}).polluted).toBeUndefined();
  });

  test.each([
    ["brackets", "[".repeat(1_000_000)],
    ["braces", "{".repeat(1_000_000)],
    ["objects in objects", '{"a":'.repeat(200_000)],
    ["lists with an element", "[1,".repeat(300_000)],
    ["brackets and comments", "[//".repeat(300_000)],
    ["brackets and comments before what is no JSON", `${"[//".repeat(150_000)}\n${" ".repeat(500_000)}@`],
    ["brackets and quotes", '{"'.repeat(500_000)],
    ["comments that do not end", "[/*".repeat(300_000)],
    ["quotes", '["'.repeat(500_000)],
    ["escaped brackets", '{\\"'.repeat(300_000)],
    ["escapes", `["${"\\".repeat(1_000_000)}`],
    ["closed brackets", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["lists within a string within prose", `x "${'{\\"a\\":1}'.repeat(150_000)}"`],
    ["digits", `[${"1".repeat(1_000_000)}`],
    ["thoughts", "<think>".repeat(100_000)],
    ["white space", `{${" ".repeat(1_000_000)}`],
    ["quotes and spaces", `["${'"  '.repeat(300_000)}`],
  ])("reads a megabyte of %s in linear time, and gives nothing too deep to be written", (_name, text) => {
    expect(JSON.stringify(salvageJson(text))).toMatch(/^\[/);
  });

  const json = fc.jsonValue({ maxDepth: 4 });
  const holder = fc.oneof(fc.dictionary(fc.string(), json), fc.array(json, { minLength: 1 }));
  const texts = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("a {", '"', "',", "\\", "[x]", '{"k":1}'),
  );
  const nasty = fc.letrec((tie) => ({
    value: fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(texts, tie("value"), { maxKeys: 4 }),
  }));
  const same = (text: string): unknown => JSON.parse(text);

  test("whatever value is serialised comes back", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(values(text)).toEqual(isBrokenText(text) ? expect.anything() : [same(text)]);
      }),
      { numRuns: 300 },
    );
  });

  test("whatever object or list is wrapped in prose or fences comes back", () => {
    const wrappings = fc.constantFrom(
      ["```json\n", "\n```"],
      ["Here you are:\n\n", "\n\nI hope that helps!"],
      ["It's {done}: ", " (see above)"],
      ["\ufeff", ""],
      ["<thinking>hm {</thinking>", ""],
    );
    fc.assert(
      fc.property(fc.oneof(holder, nasty.object), wrappings, (value, [before, behind]) => {
        const text = JSON.stringify(value);
        expect(values(`${before}${text}${behind}`)).toContainEqual(same(text));
      }),
      { numRuns: 300 },
    );
  });

  test("cut at any place, it neither throws nor invents", () => {
    fc.assert(
      fc.property(nasty.object, fc.constantFrom(0, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const whole = same(text);
        for (let end = 0; end < text.length; end += 1) {
          const found = salvageJson(text.slice(0, end));
          expect(found.length).toBeLessThanOrEqual(1);
          for (const { value, complete } of found) {
            expect(complete).toBe(false);
            expect(isPartOf(value, whole)).toBe(true);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test("any text at all is read without throwing", () => {
    const bits = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      ":",
      ",",
      "\\",
      "\\u",
      "//",
      "/*",
      "a",
      "1",
      " ",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 60 }), (parts) => {
        expect(Array.isArray(salvageJson(parts.join("")))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Text of JSON within JSON, or lone surrogates: what comes back is something else on purpose. */
function isBrokenText(text: string): boolean {
  return /^"|\\ud[89a-f]/i.test(text);
}

/** True where every part of a value is in the same place of the whole. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item, index) => isPartOf(item, whole[index]));
  if (typeof part !== "object" || part === null) return Object.is(part, whole);
  return Object.entries(part).every(
    ([key, item]) => Object.hasOwn(Object(whole), key) && isPartOf(item, Object(whole)[key]),
  );
}
