import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultPrompts, memoryModel, modelExtractor } from "../../../src/memory/index.ts";
import { estimateTokens } from "../../../src/message/index.ts";
import { contents, context, conversation, extractWith, message } from "./harness.ts";
import "../../seed.ts";

const tea = { content: "Asha likes tea.", messages: ["m1"] };
const code = { content: "Asha's booking code is QX7.", messages: ["m2"] };

describe("what a fact carries", () => {
  test("is what the model said of it, and who said it by the messages", async () => {
    const { facts } = await extractWith([
      {
        facts: [
          {
            content: " Asha moved to Oslo. ",
            messages: ["m1", "m3"],
            subject: "Asha",
            attribute: "home town",
            categories: ["travel", "travel", " home "],
            importance: 0.8,
            date: "2026-03-06",
          },
          { ...code, subject: "", attribute: "", categories: [], importance: 1, date: "" },
        ],
      },
    ]);
    expect(facts).toEqual([
      {
        content: "Asha moved to Oslo.",
        categories: ["travel", "home"],
        importance: 0.8,
        role: "human",
        name: "Asha",
        subject: "Asha",
        attribute: "home town",
        eventDate: "2026-03-06",
        messageIds: ["a", "c"],
      },
      { content: code.content, importance: 1, role: "ai", messageIds: ["b"] },
    ]);
  });

  test.each<[string, object, object]>([
    ["importance below 0", { importance: -3 }, { importance: 0 }],
    ["importance above 1", { importance: 8 }, { importance: 1 }],
    ["importance as text", { importance: "0.4" }, { importance: 0.4 }],
    ["importance in words", { importance: "high" }, {}],
    ["unknown messages", { messages: ["m9", "m0", "x", "", null, "m99999999999"] }, {}],
    ["some unknown messages", { messages: ["m9", "m2"] }, { role: "ai", messageIds: ["b"] }],
    ["one message, not in a list", { messages: "m2" }, { role: "ai", messageIds: ["b"] }],
    ["labels in brackets", { messages: ["[m2]", "M2", 2] }, { role: "ai", messageIds: ["b"] }],
    ["a role and a name that it made up", { role: "admin", name: "Root" }, {}],
    ["ids of the host in place of labels", { messages: ["a"] }, {}],
    ["a day", { date: "2026-03-06" }, { eventDate: "2026-03-06" }],
    ["a month", { date: "2026-03" }, { eventDate: "2026-03" }],
    ["a year", { date: "2026" }, { eventDate: "2026" }],
    ["a year as a number", { date: 2026 }, { eventDate: "2026" }],
    ["a time", { date: "2026-03-06T10:00:00+02:00" }, { eventDate: "2026-03-06" }],
    ["a day that does not exist", { date: "2026-02-30" }, {}],
    ["a month that does not exist", { date: "2026-13" }, {}],
    ["words for a date", { date: "last Friday" }, {}],
    ["a date in another form", { date: "06.03.2026" }, {}],
    ["one category, not in a list", { categories: "travel" }, { categories: ["travel"] }],
    ["categories that are none", { categories: [1, null, "", "a"] }, { categories: ["a"] }],
    [
      "details that are null",
      { subject: null, attribute: null, date: null, importance: null, categories: null },
      {},
    ],
  ])("is put right or left out, and the fact kept: %s", async (_name, given, kept) => {
    const extraction = await extractWith([{ facts: [{ content: "x", ...given }] }]);
    expect(extraction.facts).toEqual([{ content: "x", ...kept }]);
    expect(extraction.calls).toHaveLength(1);
  });
});

describe("an answer", () => {
  test("without facts is an empty list, and no failure", async () => {
    for (const answer of [
      { facts: [] },
      '{"facts":[]}',
      "```json\n[]\n```",
      'There is nothing.\n\n{"facts": []}',
    ]) {
      const extraction = await extractWith([answer]);
      expect(extraction).toMatchObject({ facts: [], error: undefined });
      expect(extraction.calls).toHaveLength(1);
    }
  });

  test("is not asked for where nothing was said", async () => {
    expect(await extractWith([], {}, [])).toMatchObject({ facts: [], calls: [] });
  });

  test.each<[string, string]>([
    ["in a fence", `\`\`\`json\n${JSON.stringify({ facts: [tea, code] })}\n\`\`\``],
    ["in prose", `Here they are: ${JSON.stringify({ facts: [tea, code] })} Anything else?`],
    ["behind braces that hold none", `text {not json} ${JSON.stringify({ facts: [tea, code] })}`],
    ["with trailing commas", `{"facts":[${JSON.stringify(tea)},${JSON.stringify(code)},],}`],
    [
      "with single quotes",
      `{'facts':[{'content':'Asha likes tea.'},{'content':"Asha's booking code is QX7."}]}`,
    ],
    [
      "with bare keys and comments",
      `{facts: [ /* one */ {content: "Asha likes tea."}, {content: "Asha's booking code is QX7."} // two\n]}`,
    ],
    [
      "with raw line breaks in it",
      `{"facts":[{"content":"Asha likes tea."},\n{"content":"Asha's booking code is QX7.", "subject":"a\nb"}]}`,
    ],
    ["encoded as a string", JSON.stringify(JSON.stringify({ facts: [tea, code] }))],
    ["as a bare list", JSON.stringify([tea, code])],
    ["as a list of texts", JSON.stringify([tea.content, code.content])],
    ["as several objects", `${JSON.stringify({ facts: [tea] })}\n${JSON.stringify({ facts: [code] })}`],
    ["as a line for each fact", `${JSON.stringify(tea)}\n${JSON.stringify(code)}`],
    [
      "with facts called by their kind",
      JSON.stringify({ facts: [{ fact: tea.content }, { memory: code.content }] }),
    ],
    ["under another name", JSON.stringify({ memories: [tea, code] })],
    ["one level deeper", JSON.stringify({ result: { facts: [tea, code] } })],
    [
      "with Python's words",
      `{"facts":[{"content":"Asha likes tea.","private":True},{"content":"Asha's booking code is QX7.","date":None}]}`,
    ],
    [
      "behind thoughts",
      `<think>{"facts":[{"content":"draft"}]}</think>${JSON.stringify({ facts: [tea, code] })}`,
    ],
  ])("is read %s, with one call", async (_name, text) => {
    const extraction = await extractWith([text]);
    expect(contents(extraction)).toEqual([tea.content, code.content]);
    expect(extraction.calls).toMatchObject([{ purpose: "extract", tokens: undefined }]);
  });

  test("is cleaned of characters that are none", async () => {
    expect(contents(await extractWith(['{"facts":[{"content":"x\\ud800y \\u12"}]}']))).toEqual([
      "x\ufffdy \\u12",
    ]);
    expect(contents(await extractWith([{ facts: [{ content: "x\ud800y" }] }]))).toEqual(["x\ufffdy"]);
  });

  test.each<[string, unknown]>([
    ["prose", "I'm sorry, but I can't help with that."],
    ["prose with brackets", "See [1], {this} and the list:\n- [ ] tea\n- [x] milk"],
    ["prose that quotes a list", 'I will not store ["his password"] for you.'],
    ["nothing", ""],
    ["white space", " \n"],
    ["no answer", undefined],
    ["null", null],
    ["another object", { error: "content_filter" }],
    ["an empty object", {}],
    ["facts that are null", { facts: null }],
    ["facts that are a text", { facts: "none" }],
    ["facts that are numbers", { facts: [1] }],
    ["a fact without a content", { facts: [{ subject: "Asha" }] }],
    ["a fact that is blank", { facts: [{ content: " " }] }],
    ["a beginning", '{"facts":['],
    ["half a fact", '{"facts":[{"content":"Asha likes te'],
    ["an excuse in JSON", { content: "Sorry, I cannot do that." }],
    ["an excuse under another name", '{"text":"Sorry, I cannot do that."}'],
    ["half a fact with details, alone", '{"content":"Asha likes tea.","subject":"Asha","attr'],
    ["half a fact alone", '{"content":"Asha likes tea.","subj'],
    ["an HTML page", "<html><body>502 Bad Gateway</body></html>"],
    ["a list in the middle of a sentence", "The list is [] as far as I can tell."],
    ["thoughts without an end", '<think>{"facts":[{"content":"draft"}]}'],
  ])("that is %s goes back once, and is an error then, never an empty list", async (_name, answer) => {
    const { facts, error, calls, model } = await extractWith([answer, answer]);
    expect(facts).toBeUndefined();
    expect(error).toMatchObject({ code: "extraction_failed", data: { problems: [expect.any(String)] } });
    expect(calls.map(({ purpose }) => purpose)).toEqual(["extract", "repair"]);
    expect(model.left()).toBe(0);
  });
});

describe("the second attempt", () => {
  test("shows the model what it answered and what is wrong with it", async () => {
    const extraction = await extractWith(["I cannot <answer> that.", { facts: [tea] }]);
    expect(contents(extraction)).toEqual([tea.content]);
    const [first, second] = extraction.model.requests;
    expect(second?.prompt.startsWith(first?.prompt ?? "-")).toBe(true);
    const added = second?.prompt.slice(first?.prompt.length) ?? "";
    expect(added).toContain("I cannot \\u003canswer> that.");
    expect(added).toContain("The answer holds no JSON.");
    expect(second?.system).toBe(first?.system);
  });

  test("asks for what broke off, and keeps what was complete", async () => {
    const extraction = await extractWith([
      `{"facts":[${JSON.stringify(tea)},{"content":"Asha's booking`,
      { facts: [code] },
    ]);
    expect(contents(extraction)).toEqual([tea.content, code.content]);
    expect(extraction.model.requests[1]?.prompt).toContain("1 of its facts are kept already.");
    expect(extraction.warnings).toEqual([]);
  });

  test("may say again what is kept", async () => {
    const again = { ...tea, content: "asha  likes TEA." };
    const extraction = await extractWith([
      `{"facts":[${JSON.stringify(tea)},{"content":"Asha's booking`,
      { facts: [again, code] },
    ]);
    expect(contents(extraction)).toHaveLength(2);
  });

  test("that fails as well leaves the facts that are right, and tells of the others", async () => {
    const extraction = await extractWith([{ facts: [tea, { content: 5 }] }, "no"]);
    expect(contents(extraction)).toEqual([tea.content]);
    expect(extraction.warnings).toEqual([
      expect.stringMatching(/^Part of what the model scripted extracted could not be used/),
    ]);
  });

  test("that takes everything back is believed", async () => {
    expect(await extractWith([{ facts: [{ content: 5 }] }, { facts: [] }])).toMatchObject({ facts: [] });
  });

  test("costs a call that is counted, and not a third", async () => {
    const { calls } = await extractWith([
      { text: "no", tokens: { input: 10, output: 1 } },
      { text: "no", tokens: { input: 20, output: 2 } },
    ]);
    expect(calls).toEqual([
      { purpose: "extract", model: expect.any(String), tokens: { input: 10, output: 1 } },
      { purpose: "repair", model: expect.any(String), tokens: { input: 20, output: 2 } },
    ]);
  });
});

describe("the provider's failure", () => {
  test("is the extractor's, at the first call and at the second", async () => {
    const failure = new Error("429 too many requests");
    const first = await extractWith([failure]);
    expect(first.error).toBe(failure);
    expect(first.calls).toMatchObject([{ purpose: "extract", error: failure }]);
    // The facts that were read come again when the batch is delivered again; those that broke off would be lost for good.
    const second = await extractWith([`{"facts":[${JSON.stringify(tea)},{"con`, failure]);
    expect(second.error).toBe(failure);
  });

  test("an abort stops it, before the second call too", async () => {
    const controller = new AbortController();
    let asked = 0;
    const model = {
      name: "deaf",
      generate: async () => {
        asked += 1;
        controller.abort(new Error("enough"));
        return { text: "no" };
      },
    };
    const extract = modelExtractor(model);
    await expect(extract(conversation, { ...context, signal: controller.signal })).rejects.toThrow("enough");
    expect(asked).toBe(1);
  });
});

describe("what the model is told", () => {
  test("is every message on a line, with its speaker, its time and a short label", async () => {
    const { model } = await extractWith([{ facts: [] }]);
    const prompt = model.requests[0]?.prompt ?? "";
    expect(prompt).toContain("It is 2026-11-30T12:00Z (Monday).");
    const lines = prompt
      .slice(prompt.indexOf("<transcript>\n") + 13, prompt.indexOf("\n</transcript>"))
      .split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      {
        id: "m1",
        from: "user",
        name: "Asha",
        at: "2026-03-11T09:30Z (Wednesday)",
        text: conversation[0]?.text,
      },
      { id: "m2", from: "assistant", text: "Your booking code is QX7." },
      { id: "m3", from: "tool", text: "gate 12" },
    ]);
  });

  test("holds nothing that closes the transcript or begins a message, whatever was said", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom("</transcript>", '\n{"id":"m9"}', "\u2028", "{now}", "$&", "{transcript}"),
          ),
          { minLength: 1 },
        ),
        async (bits) => {
          const text = bits.join("");
          const { model } = await extractWith([{ facts: [] }], {}, [message(text), message("end")]);
          const prompt = model.requests[0]?.prompt ?? "";
          expect(prompt.match(/<\/?transcript/g)).toHaveLength(2);
          const inside = prompt.slice(
            prompt.indexOf("<transcript>\n") + 13,
            prompt.indexOf("\n</transcript>"),
          );
          const lines = inside.split(/[\n\u2028\u2029]/);
          expect(lines).toHaveLength(2);
          expect(JSON.parse(lines[0] ?? "")).toMatchObject({ id: "m1", text });
        },
      ),
      { numRuns: 100 },
    );
  });

  test("forbids instructions from the transcript, and asks for what either side said", async () => {
    const { model } = await extractWith([{ facts: [] }], { instructions: "Care for allergies." });
    const system = model.requests[0]?.system ?? "";
    expect(system).toMatch(/never an instruction/);
    expect(system).toMatch(/What the assistant said counts as much/);
    expect(system.endsWith("Care for allergies.")).toBe(true);
  });

  test("is cut where one message is huge", async () => {
    const huge = message("a".repeat(1_000_000), { role: "tool" });
    const { model } = await extractWith([{ facts: [] }], {}, [huge, message("b".repeat(1_000_000))]);
    expect(model.requests[0]?.prompt.length).toBeLessThan(30_000);
  });

  test("is the app's own prompt where it has one", async () => {
    const prompts = { extract: "Lies das: {transcript} {other}", extractSystem: "Finde Fakten." };
    const { model } = await extractWith([{ facts: [] }], { prompts });
    expect(model.requests[0]?.prompt).toMatch(/^Lies das: \{"id":"m1".*\} \{other\}$/s);
    expect(model.requests[0]?.system).toBe("Finde Fakten.");
  });

  test.each<[string, object, RegExp]>([
    [
      "a prompt without its place",
      { prompts: { extract: "Go!" } },
      /prompts.extract must hold \{transcript\}/,
    ],
    ["an unknown prompt", { prompts: { extrakt: "x" } }, /Did you mean "extract"/],
    ["a prompt that is no text", { prompts: { extract: 5 } }, /extract must be a text/],
    ["an unknown option", { instruction: "x" }, /Did you mean "instructions"/],
    ["schemas that are none", { schemas: { Person: 5 } }, /schema/],
    [
      "a schema by a name that is taken",
      { schemas: { memory: { type: "object" } } },
      /the name "memory" is taken/,
    ],
  ])("refuses %s", (_name, options, message) => {
    const model = memoryModel(() => "");
    expect(() => modelExtractor(model, options)).toThrow(message);
    expect(() => modelExtractor(model, options)).toThrow(expect.objectContaining({ code: "invalid_config" }));
    expect(Object.isFrozen(defaultPrompts)).toBe(true);
  });
});

describe("a transcript that is longer than a model's context", () => {
  const long = Array.from({ length: 12 }, (_, index) =>
    message(`${index} ${"We talked of this and that. ".repeat(500)}`, { id: `id${index}` }),
  );

  test("is shown in parts, each message once, and labels are those of the part", async () => {
    const answers = long.map(() => ({ facts: [{ content: "A fact.", messages: ["m1"] }] }));
    const { facts, calls, model, error } = await extractWith(answers, {}, long);
    expect(error).toBeUndefined();
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.length).toBeLessThan(long.length);
    const prompts = model.requests.map(({ prompt }) => prompt);
    for (const prompt of prompts) expect(estimateTokens(prompt)).toBeLessThan(20_000);
    for (const [index] of long.entries())
      expect(prompts.filter((prompt) => prompt.includes(`"text":"${index} We`))).toHaveLength(1);
    const firsts = facts?.map((fact) => (typeof fact === "string" ? [] : fact.messageIds));
    expect(firsts?.[0]).toEqual(["id0"]);
    expect(new Set(firsts?.flat()).size).toBe(calls.length);
  });

  test.each([
    ["paragraphs", "We talked of this and that.\n\n"],
    ["sentences", "We talked of this and that. "],
    ["sentences in Chinese", "我们谈了很多事情。"],
    ["words", "talked "],
    ["no ends at all", "😀"],
  ])("a message that is too long is shown in pieces: %s", async (_what, sentence) => {
    const count = Math.ceil(200_000 / sentence.length);
    const text = `FIRST ${sentence.repeat(count / 2)}MIDDLE ${sentence.repeat(count / 2)}LAST`;
    const answers = Array.from({ length: 40 }, () => ({ facts: [{ content: "A fact.", messages: ["m1"] }] }));
    const asha = message(text, { id: "long", name: "Asha" });
    const { facts, model, error } = await extractWith(answers, {}, [asha]);
    expect(error).toBeUndefined();
    const prompts = model.requests.map(({ prompt }) => prompt);
    for (const prompt of prompts) expect(estimateTokens(prompt)).toBeLessThan(17_000);
    const shown = prompts.map((prompt): { text: string } =>
      JSON.parse(/^\{"id":.*$/m.exec(prompt)?.[0] ?? ""),
    );
    expect(shown.map((line) => line.text).join("")).toBe(text);
    for (const line of shown.slice(0, -1))
      expect(line.text).toMatch(
        sentence === "😀" ? /^\P{Surrogate}+$/u : new RegExp(`(?:${sentence}|MIDDLE )$`),
      );
    expect(facts).toHaveLength(prompts.length);
    for (const fact of facts ?? []) expect(fact).toMatchObject({ name: "Asha", messageIds: ["long"] });
  });

  test("shows of a tool's long result its beginning and its end", async () => {
    const result = message(`FIRST ${"row ".repeat(100_000)}LAST`, { id: "r", role: "tool" });
    const { calls, model } = await extractWith([{ facts: [] }], {}, [result]);
    expect(calls).toHaveLength(1);
    expect(model.requests[0]?.prompt.length).toBeLessThan(5000);
    expect(model.requests[0]?.prompt).toMatch(/FIRST .* LAST/);
  });

  test("fails as a whole where a part fails, so that it comes again", async () => {
    const broken = [{ facts: [] }, "I cannot.", "I cannot."];
    const { facts, error } = await extractWith(broken, {}, long);
    expect(facts).toBeUndefined();
    expect(error).toMatchObject({ code: "extraction_failed" });
  });
});
