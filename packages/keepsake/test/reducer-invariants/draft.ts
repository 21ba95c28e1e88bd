/** What a message of a random history means, apart from the format in which it is written. */
export interface Draft {
  readonly role: "human" | "ai" | "system" | "tool" | "function" | "other" | "unreadable";
  /** Unique per history, so that a content can be told from every other. */
  readonly label: string;
  readonly id: string | undefined;
  readonly content: Content;
  /** Ids of the tool calls that it makes. */
  readonly calls: readonly string[];
  /** The id of the tool call that it answers. */
  readonly answers: string | undefined;
  /** What the test's token counter says of it. */
  readonly tokens: number;
  /** What the test's `pin` says of it. */
  readonly pinned: boolean;
  /** Picks among the ways in which a format can write the same thing. */
  readonly variant: number;
}

/** How the content is written: the last three say nothing. */
export type Content = "string" | "parts" | "image" | "blank" | "no-parts" | "absent";

const SAYS_NOTHING: readonly Content[] = ["blank", "no-parts", "absent"];

/** A user or assistant message that no provider accepts: nothing said, nothing called. */
export function isEmpty(draft: Draft): boolean {
  const speaks = draft.role === "human" || draft.role === "ai";
  return speaks && draft.calls.length === 0 && SAYS_NOTHING.includes(draft.content);
}

/** A user message that says something: a place where a window may start. */
export function startsTurn(draft: Draft): boolean {
  return draft.role === "human" && !isEmpty(draft);
}

/** Human, assistant and tool messages may leave the window; all others stay for good. */
export function mayLeave(draft: Draft): boolean {
  return draft.role === "human" || draft.role === "ai" || draft.role === "tool";
}

/** A short notation for failures: `S U A[c1] T(c1) A`, with the ways in which content is empty. */
export function notation(drafts: readonly Draft[]): string {
  return drafts.map(notationOf).join(" ");
}

function notationOf(draft: Draft): string {
  const letter = { human: "U", ai: "A", system: "S", tool: "T", function: "F", other: "O", unreadable: "?" }[
    draft.role
  ];
  const calls = draft.calls.length > 0 ? `[${draft.calls.join(",")}]` : "";
  const answers = draft.answers === undefined ? "" : `(${draft.answers})`;
  const empty = isEmpty(draft) ? "∅" : "";
  return `${letter}${calls}${answers}${empty}${draft.pinned ? "!" : ""}{${draft.tokens}}`;
}

/**
 * Reads the notation of the field reports: `S U A[c1,c2] T(c1) T(c2) F O ?`, `A∅` for an empty message, `U!` for a
 * pinned one, `T(c1){5000}` for its tokens (10 where nothing is said). Ids are m0, m1, …
 */
export function parseNotation(text: string): Draft[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word, index) => parseWord(word, `m${index}`));
}

function parseWord(word: string, label: string): Draft {
  const match = /^([UASTFO?])(?:\[([^\]]*)\])?(?:\(([^)]*)\))?(∅?)(!?)(?:\{(\d+)\})?$/u.exec(word);
  if (match === null) throw new Error(`not in the notation of the field reports: ${word}`);
  const [, letter = "", calls, answers, empty, pinned, tokens] = match;
  const roles: Record<string, Draft["role"]> = {
    U: "human",
    A: "ai",
    S: "system",
    T: "tool",
    F: "function",
    O: "other",
    "?": "unreadable",
  };
  return {
    role: roles[letter] ?? "other",
    label,
    id: label,
    content: empty === "∅" ? "blank" : calls === undefined ? "string" : "absent",
    calls: calls?.split(",") ?? [],
    answers,
    tokens: Number(tokens ?? 10),
    pinned: pinned === "!",
    variant: 0,
  };
}
