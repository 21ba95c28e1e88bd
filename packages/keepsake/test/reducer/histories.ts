/** A plain message, as the tests write them. */
export interface Plain {
  role: string;
  content: unknown;
  id?: string;
  tool_calls?: unknown[];
  tool_call_id?: string;
}

/**
 * Messages from a line of letters: `S` system, `U` user, `A` assistant, `A[c1,c2]` assistant with calls, `T(c1)` result, `X` unknown role,
 * `F` function. Ids are the index, contents tell the letter and the index.
 */
export function history(line: string): Plain[] {
  return line
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word, index) => parse(word, index));
}

const roles: Readonly<Record<string, string>> = {
  S: "system",
  U: "user",
  A: "assistant",
  T: "tool",
  X: "critic",
  F: "function",
};

function parse(word: string, index: number): Plain {
  const [, letter = "", calls, result] = /^([SUATXF])(?:\[(.*)\])?(?:\((.*)\))?$/.exec(word) ?? [];
  const role = roles[letter];
  if (role === undefined) throw new Error(`Not a message: ${word}`);
  const message: Plain = { role, content: `${word} ${index}`, id: `m${index}` };
  if (calls !== undefined) {
    message.content = null;
    message.tool_calls = calls
      .split(",")
      .map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } }));
  }
  if (result !== undefined) message.tool_call_id = result;
  return message;
}

/** The line of letters that messages were made from, without the indices; other messages by their text. */
export function lineOf(messages: readonly Plain[]): string {
  return messages.map(wordOf).join(" ");
}

function wordOf(message: Plain): string {
  if (message.tool_calls !== undefined)
    return `A[${message.tool_calls.map((call) => (call as { id: string }).id).join(",")}]`;
  return String(message.content).split(" ")[0] ?? "";
}

/** A logger that keeps what it is told. */
export function recordingLogger(): { warnings: string[]; debug(): void; warn(message: string): void } {
  const warnings: string[] = [];
  return { warnings, debug: () => {}, warn: (message) => warnings.push(message) };
}
