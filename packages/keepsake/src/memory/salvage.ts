import { JsonReader } from "./salvage-reader.ts";

/** A JSON value found in a text. */
export interface SalvagedValue {
  readonly value: unknown;
  /** False where the value breaks off, or goes on with what is no JSON: it holds what was complete by then. */
  readonly complete: boolean;
  /** True where nothing else is on its lines. */
  readonly alone: boolean;
}

/** How often a text may be a string that holds JSON, that holds a string, and so on. */
const maxEncodings = 3;
/** Characters read per character of the text, at most, before what cannot be read is passed over for good. */
const readsPerCharacter = 4;

/**
 * The JSON values in a text that a model wrote, in order. Objects and arrays are found within prose and fences; other values only where they
 * are all there is. Forgiven are comments, trailing and missing commas, single quotes, bare keys, Python's words, raw line breaks and lone
 * surrogates in strings, escapes that are none, inner quotes, a value that breaks off, JSON within a string. Nothing is made up: what is
 * broken off is left out, up to the last member that was complete. Linear in the length of the text.
 */
export function salvageJson(text: string): SalvagedValue[] {
  return valuesIn(withoutThoughts(text), 0);
}

/** A value as JSON holds it: what a text would have given. `undefined` where it has no JSON. */
export function asJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : salvageJson(text)[0]?.value;
  } catch {
    return undefined;
  }
}

function valuesIn(text: string, encodings: number): SalvagedValue[] {
  const scalar = scalarIn(text);
  if (scalar !== undefined) {
    const inner =
      typeof scalar.value === "string" && encodings < maxEncodings
        ? valuesIn(scalar.value, encodings + 1).filter(({ value }) => typeof value === "object")
        : [];
    return inner.length > 0 ? inner : [scalar];
  }
  const reader = new JsonReader(text);
  const found: SalvagedValue[] = [];
  const opener = /[[{]/g;
  let budget = readsPerCharacter * text.length + 1000;
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const start = match.index;
    const outcome = reader.read(start);
    budget -= outcome.end - start;
    if (outcome.kind === "encoded") {
      const { value: decoded, end } = reader.decode(start + 1);
      const inner = encodings < maxEncodings ? valuesIn(text.charAt(start) + decoded, encodings + 1) : [];
      for (const value of inner) found.push(value);
      opener.lastIndex = end;
    } else if (outcome.kind === "nothing") {
      opener.lastIndex = budget > 0 ? Math.max(outcome.resume, start + 1) : outcome.end;
    } else {
      const { value, complete, end } = outcome;
      found.push({ value, complete, alone: isAlone(text, start, end) });
      opener.lastIndex = end;
    }
  }
  return found;
}

/** What a text says that is one value and no object or array, in a fence or without. */
function scalarIn(text: string): SalvagedValue | undefined {
  const bare = unfenced(text);
  if (!/^["\d-]|^(?:true|false|null|None|True|False)$/.test(bare)) return undefined;
  const reader = new JsonReader(bare);
  const read = reader.scalar(0);
  return read !== undefined && read.end === bare.length
    ? { value: read.value, complete: true, alone: true }
    : undefined;
}

function unfenced(text: string): string {
  const bare = text.replace(/^\uFEFF/, "").trim();
  if (!bare.startsWith("```") || !bare.endsWith("```") || bare.length < 6) return bare;
  return bare
    .slice(3, -3)
    .replace(/^[a-z0-9]{0,12}\r?\n/i, "")
    .trim();
}

/** Models that think aloud try answers on the way. */
function withoutThoughts(text: string): string {
  const bare = text.trimStart();
  if (!/^<think(?:ing)?>/.test(bare)) return text;
  const end = /<\/think(?:ing)?>/.exec(bare);
  return end === null ? "" : bare.slice(end.index + end[0].length);
}

/** How far the ends of a line are looked for. */
const lineLength = 200;

function isAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - lineLength), start);
  const behind = text.slice(end, end + lineLength);
  const isFirst = /\n[^\S\n]*$/.test(before) || (start <= lineLength && before.trim() === "");
  return isFirst && (/^[^\S\n]*\n/.test(behind) || behind.trim() === "");
}
