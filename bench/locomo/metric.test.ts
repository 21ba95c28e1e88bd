import { describe, expect, it } from "vitest";
import { parseDialogues, sessionTime } from "./dataset.ts";
import { type Answer, figuresOf, fractionFound, percentile } from "./metric.ts";

const file = JSON.stringify([
  {
    sample_id: "tiny",
    conversation: {
      speaker_a: "Ines",
      speaker_b: "Otto",
      session_1_date_time: "12:05 am on 3 March, 2021",
      session_1: [
        { speaker: "Ines", dia_id: "D1:1", text: "I moved to Porto." },
        { speaker: "Otto", dia_id: "D1:2", text: "Show me!", blip_caption: "a tiled house" },
      ],
      session_2_date_time: "12:30 pm on 4 March, 2021",
      session_2: [{ speaker: "Ines", dia_id: "D2:1", text: "The boat is called Alva." }],
      session_3_date_time: "1:00 pm on 9 March, 2021",
    },
    qa: [
      { question: "Where does Ines live?", category: 4, evidence: ["D1:1"] },
      { question: "What does Ines own?", category: 1, evidence: ["D1:2; D2:1", "D1:2,D2:1", "D1:2 D9:9"] },
      { question: "Who sings?", category: 5, evidence: ["D:1"] },
    ],
  },
]);

describe("the file", () => {
  const [dialogue] = parseDialogues(file);

  it("gives each turn its speaker, its session's time and its picture's caption", () => {
    expect(dialogue?.messages).toEqual([
      {
        id: "D1:1",
        role: "user",
        name: "Ines",
        content: "I moved to Porto.",
        timestamp: "2021-03-03T00:05:00.000Z",
      },
      {
        id: "D1:2",
        role: "assistant",
        name: "Otto",
        content: "Show me!\n[image: a tiled house]",
        timestamp: "2021-03-03T00:05:00.000Z",
      },
      {
        id: "D2:1",
        role: "user",
        name: "Ines",
        content: "The boat is called Alva.",
        timestamp: "2021-03-04T12:30:00.000Z",
      },
    ]);
  });

  it("splits joined evidence ids, keeps each once, and leaves out questions without a turn", () => {
    expect(dialogue?.questions.map(({ evidence }) => evidence)).toEqual([["D1:1"], ["D1:2", "D2:1"]]);
    expect(dialogue?.unresolved).toBe(1);
  });

  it("names the place of what it cannot read", () => {
    expect(() => parseDialogues("{}")).toThrow("the file is not a list");
    expect(() => sessionTime("yesterday")).toThrow('"yesterday" is not a session time');
  });
});

describe("the figures", () => {
  const answer = (category: number, evidence: string[], found: string[], searchMs = 1): Answer => ({
    category,
    evidence,
    found,
    characters: found.map((id) => id.length),
    searchMs,
  });

  it("count the fraction of the evidence among the first k", () => {
    const half = answer(1, ["a", "z"], ["x", "a", "z"]);
    expect(fractionFound(half, 2)).toBe(0.5);
    expect(fractionFound(half, 3)).toBe(1);
    expect(fractionFound(half, 1)).toBe(0);
  });

  it("are means over questions, overall and by category", () => {
    const filler = Array.from({ length: 9 }, (_, index) => `filler${index}`);
    const figures = figuresOf([
      answer(1, ["a", "b"], ["a", ...filler, "b"], 4),
      answer(4, ["c"], ["c"], 2),
      answer(4, ["d"], ["x"], 3),
    ]);
    const twoThirds = expect.closeTo((100 * 2) / 3, 6);
    expect(figures.overall).toEqual({ questions: 3, at5: 50, at10: 50, at20: twoThirds, anyAt10: twoThirds });
    expect(figures.categories["1"]).toEqual({ questions: 1, at5: 50, at10: 50, at20: 100, anyAt10: 100 });
    expect(figures.categories["4"]).toEqual({ questions: 2, at5: 50, at10: 50, at20: 50, anyAt10: 50 });
    expect(figures.charactersPerResult).toEqual({ mean: (1 + 9 * 7 + 1 + 1) / 12, max: 7 });
    expect(figures.searchMs).toEqual({ p50: 3, p95: 4 });
  });

  it("take percentiles by nearest rank", () => {
    const numbers = Array.from({ length: 20 }, (_, index) => 20 - index);
    expect([percentile(numbers, 0.5), percentile(numbers, 0.95), percentile([], 0.5)]).toEqual([10, 19, 0]);
  });
});
