import fc from "fast-check";

/** What happens in a conversation, apart from how a wire format cuts it into messages. */
export type Beat =
  | {
      readonly kind: "system" | "user";
      readonly label: string;
      readonly image: boolean;
      readonly tokens: number;
    }
  | Answer;

/** What an assistant does at one go: thinks, says something, calls tools; and what the tools give. */
export interface Answer {
  readonly kind: "answer";
  readonly label: string;
  readonly reasons: boolean;
  readonly says: boolean;
  readonly calls: readonly string[];
  /** The order in which the results arrive. */
  readonly resultOrder: readonly string[];
  /** All results in one message, where the format can put them there. */
  readonly together: boolean;
  /** The user's words beside the results, where the format can put them there. */
  readonly words: boolean;
  /** Carries calls out one by one, where the format lets an answer go on. */
  readonly oneByOne: boolean;
  /** A tool that the provider runs: its result is in the same message, or in the assistant's next one. */
  readonly hosted: "none" | "same" | "next";
  /** The first call waits for the user's approval. */
  readonly approval: "none" | "given" | "denied";
  readonly tokens: number;
  /** Picks among the ways in which a format can write the same thing. */
  readonly variant: number;
}

type Drawn<B> = Omit<B, "label" | "calls" | "resultOrder"> & {
  readonly parallel?: number;
  readonly turned?: number;
};

const tokens = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 600 }) },
);
const rarely = fc.integer({ min: 0, max: 5 }).map((n) => n === 0);

const answer = fc.record({
  kind: fc.constant("answer" as const),
  reasons: fc.boolean(),
  says: fc.boolean(),
  parallel: fc.constantFrom(0, 0, 1, 1, 2, 3),
  turned: fc.nat(2),
  together: fc.boolean(),
  words: rarely,
  oneByOne: rarely,
  hosted: fc.constantFrom("none", "none", "none", "none", "same", "next"),
  approval: fc.constantFrom("none", "none", "none", "none", "given", "denied"),
  tokens,
  variant: fc.nat(1000),
});
const user = fc.record({ kind: fc.constant("user" as const), image: rarely, tokens });
const system = fc.record({ kind: fc.constant("system" as const), image: fc.constant(false), tokens });

const turn = fc
  .tuple(user, fc.array(answer, { maxLength: 3 }))
  .map(([first, answers]) => [first, ...answers]);

/** Conversations that every provider takes: a prompt or none, then turns. */
export const scripts: fc.Arbitrary<readonly Beat[]> = fc
  .record({
    prompt: fc.option(system),
    greeting: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
    turns: fc.array(turn, { maxLength: 7 }),
    lateSystem: fc.integer({ min: 0, max: 60 }),
    late: system,
  })
  .map(({ prompt, greeting, turns, lateSystem, late }) => {
    const beats: Drawn<Beat>[] = prompt === null ? [] : [prompt];
    if (greeting) beats.push(plainAnswer);
    turns.forEach((beat, index) => {
      if (index > 0 && index === lateSystem) beats.push(late);
      beats.push(...beat);
    });
    return named(beats);
  });

const plainAnswer: Drawn<Answer> = {
  kind: "answer",
  reasons: false,
  says: true,
  parallel: 0,
  turned: 0,
  together: true,
  words: false,
  oneByOne: false,
  hosted: "none",
  approval: "none",
  tokens: 5,
  variant: 0,
};

function named(beats: readonly Drawn<Beat>[]): Beat[] {
  let calls = 0;
  return beats.map((beat, index) => {
    const label = `m${index}`;
    if (beat.kind !== "answer") return { ...beat, label } as Beat;
    const { parallel = 0, turned = 0, ...rest } = beat as Drawn<Answer>;
    const own = Array.from({ length: parallel }, () => `c${++calls}`);
    const at = parallel === 0 ? 0 : turned % parallel;
    const resultOrder = [...own.slice(at), ...own.slice(0, at)];
    // An answer that calls nothing says something, and only a call can wait for approval.
    const says = rest.says || (parallel === 0 && rest.hosted === "none") || rest.hosted === "next";
    return {
      ...rest,
      label,
      calls: own,
      resultOrder,
      says,
      approval: parallel === 0 ? "none" : rest.approval,
    };
  });
}

/** The conversation as hosts have it whose turns count their calls from the first one again. */
export function countedByTurn(beats: readonly Beat[]): Beat[] {
  let before = 0;
  let made = 0;
  return beats.map((beat) => {
    if (beat.kind !== "answer") {
      before = made;
      return beat;
    }
    made += beat.calls.length;
    const renamed = (id: string): string => `c${Number(id.slice(1)) - before}`;
    return { ...beat, calls: beat.calls.map(renamed), resultOrder: beat.resultOrder.map(renamed) };
  });
}

/** A conversation in one line, for failures. */
export function scriptLine(beats: readonly Beat[]): string {
  return beats
    .map((beat) => {
      if (beat.kind !== "answer") return beat.kind === "system" ? "S" : "U";
      const parts = [
        beat.reasons ? "R" : "",
        beat.says ? "text" : "",
        beat.hosted === "none" ? "" : `hosted ${beat.hosted}`,
        ...beat.calls,
        beat.approval === "none" ? "" : beat.approval,
      ];
      return `A{${parts.filter(Boolean).join(",")}}`;
    })
    .join(" ");
}
