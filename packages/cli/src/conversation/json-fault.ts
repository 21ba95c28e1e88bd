/** The first place where a text is not JSON. */
export interface JsonFault {
  /** In UTF-16 units from the beginning. */
  readonly offset: number;
  readonly problem: string;
}

/** A fault's place as an editor shows it: both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What may come next. */
type Expected = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma" | "end";

/**
 * Finds what `JSON.parse` refused: its messages differ between versions of Node and often name no place. One pass, no recursion;
 * `undefined` for valid JSON.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ("[" | "{")[] = [];
  let expected: Expected = "value";
  let offset = 0;
  for (;;) {
    offset = skipSpace(text, offset);
    if (offset >= text.length)
      return expected === "end" ? undefined : { offset, problem: endProblem(text, open) };
    const step = take(text, offset, expected, open);
    if ("problem" in step) return step;
    offset = step.end;
    expected = step.next;
  }
}

/** Line and column of an offset. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|[\r\n]/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

interface Step {
  readonly end: number;
  readonly next: Expected;
}

function take(text: string, offset: number, expected: Expected, open: ("[" | "{")[]): Step | JsonFault {
  const character = text[offset] ?? "";
  if (expected === "end") return { offset, problem: "there is more text after the end of the JSON value" };
  if (expected === "colon") {
    return character === ":" ? { end: offset + 1, next: "value" } : unexpected(text, offset, "a colon");
  }
  if (expected === "comma") return takeComma(text, offset, open);
  if (expected === "name" || expected === "name or }") {
    if (character === "}" && expected === "name or }") return close(offset, open);
    return character === '"'
      ? takeString(text, offset, "colon")
      : unexpected(text, offset, "a name in double quotes");
  }
  if (character === "]" && expected === "value or ]") return close(offset, open);
  return takeValue(text, offset, open);
}

function takeComma(text: string, offset: number, open: ("[" | "{")[]): Step | JsonFault {
  const inside = open.at(-1);
  const closing = inside === "[" ? "]" : "}";
  const character = text[offset];
  if (character === closing) return close(offset, open);
  if (character === ",") return { end: offset + 1, next: inside === "[" ? "value" : "name" };
  return unexpected(text, offset, `a comma or ${closing}`);
}

function takeValue(text: string, offset: number, open: ("[" | "{")[]): Step | JsonFault {
  const character = text[offset];
  if (character === "[" || character === "{") {
    open.push(character);
    return { end: offset + 1, next: character === "[" ? "value or ]" : "name or }" };
  }
  if (character === '"') return takeString(text, offset, after(open));
  const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
  literal.lastIndex = offset;
  return literal.test(text)
    ? { end: literal.lastIndex, next: after(open) }
    : unexpected(text, offset, "a value");
}

function takeString(text: string, offset: number, next: Expected): Step | JsonFault {
  for (let index = offset + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return { end: index + 1, next };
    if (code < 0x20) return { offset: index, problem: "a control character (a line break?) within a string" };
    if (code !== 0x5c) continue;
    const sequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
    sequence.lastIndex = index;
    if (!sequence.test(text)) return { offset: index, problem: "an unknown escape sequence within a string" };
    index = sequence.lastIndex - 1;
  }
  return { offset, problem: "a string that never ends" };
}

function close(offset: number, open: ("[" | "{")[]): Step {
  open.pop();
  return { end: offset + 1, next: after(open) };
}

function after(open: readonly string[]): Expected {
  return open.length === 0 ? "end" : "comma";
}

function skipSpace(text: string, offset: number): number {
  let end = offset;
  while (" \t\n\r".includes(text[end] ?? "x")) end += 1;
  return end;
}

function unexpected(text: string, offset: number, wanted: string): JsonFault {
  const word = /[\w.+-]{1,20}|./suy;
  word.lastIndex = offset;
  return { offset, problem: `expected ${wanted}, got ${JSON.stringify(word.exec(text)?.[0] ?? "")}` };
}

function endProblem(text: string, open: readonly string[]): string {
  if (text.trim() === "") return "the text is empty";
  const inside = open.at(-1);
  return `the text ends too early${inside === undefined ? "" : `, a "${inside}" is never closed`}`;
}
