/** What was read from an opening bracket on. */
export type Outcome =
  | { readonly kind: "value"; readonly value: unknown; readonly complete: boolean; readonly end: number }
  /** JSON with its quotes escaped: what a string holds that JSON was written into. */
  | { readonly kind: "encoded"; readonly end: number }
  /** No JSON; one may begin from `resume` on. */
  | { readonly kind: "nothing"; readonly end: number; readonly resume: number };

/** A text or value, and where it ends. */
export interface Read<T> {
  readonly value: T;
  readonly end: number;
}

/** An object or array that is not closed yet. */
interface Open {
  readonly list: unknown[] | undefined;
  readonly members: [string, unknown][];
  /** The key whose value comes next. */
  key: string | undefined;
}

/** Why reading stops. */
type Stop = "end" | "broken";

/** More levels than this are no answer of a model. */
const maxDepth = 256;

const numeral = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const bareWord = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const closingQuotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "\u201c": "\u201d" };
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" };
const words: ReadonlyMap<string, boolean | null> = new Map([
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["null", "None", "NULL", "undefined", "NaN", "nan", "Infinity"].map((word) => [word, null] as const),
]);

/** Reads JSON, and what is nearly JSON, in one pass without recursion. */
export class JsonReader {
  readonly #text: string;
  #at = 0;
  #stack: Open[] = [];
  /** Members and elements that were read: without any, brackets are just brackets. */
  #seen = 0;
  #lastOpener = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the object or array that begins at an opening bracket. */
  read(start: number): Outcome {
    this.#at = start;
    this.#stack = [];
    this.#seen = 0;
    this.#open();
    this.#skipNoise();
    if (this.#text[this.#at] === "\\") return { kind: "encoded", end: this.#at };
    for (;;) {
      const step = this.#step();
      if (step === undefined) continue;
      if (typeof step === "object")
        return { kind: "value", value: step.value, complete: true, end: step.end };
      if (this.#seen > 0) return { kind: "value", value: this.#partial(), complete: false, end: this.#at };
      const resume = step === "end" ? this.#text.length : this.#lastOpener + 1;
      return { kind: "nothing", end: this.#at, resume };
    }
  }

  /** What a text that was written into a JSON string says, from `start` to the quote that ends it. */
  decode(start: number): Read<string> {
    this.#at = start;
    const value = this.#characters('"', () => true) ?? this.#broken;
    return { value, end: this.#at };
  }

  /** Reads a string, a number or a word that ends where the text ends, if not before. */
  scalar(start: number): Read<unknown> | undefined {
    this.#at = start;
    const quote = closingQuotes[this.#text[start] ?? ""];
    if (quote !== undefined) {
      this.#at += 1;
      const value = this.#characters(quote, (end) => end === this.#text.length);
      return value === undefined ? undefined : { value, end: this.#at };
    }
    const value = this.#word() ?? this.#number();
    return value === undefined ? undefined : { value: value.value, end: this.#at };
  }

  /** Reads one thing; what closes the outermost bracket is the value. */
  #step(): Stop | Read<unknown> | undefined {
    this.#skipNoise();
    const open = this.#stack.at(-1);
    const character = this.#text[this.#at];
    if (character === undefined || open === undefined) return "end";
    if (character === ",") {
      this.#at += 1;
      return undefined;
    }
    if (open.list === undefined) return character === "}" ? this.#close() : this.#member(open);
    return character === "]" ? this.#close() : this.#value(open);
  }

  #member(open: Open): Stop | undefined {
    const key = this.#key();
    if (key === undefined) return this.#at >= this.#text.length ? "end" : "broken";
    this.#skipNoise();
    if (this.#at >= this.#text.length) return "end";
    if (this.#text[this.#at] !== ":") return "broken";
    this.#at += 1;
    this.#seen += 1;
    open.key = key;
    this.#skipNoise();
    return this.#at >= this.#text.length ? "end" : this.#value(open);
  }

  #value(open: Open): Stop | undefined {
    const character = this.#text[this.#at] ?? "";
    if (character === "{" || character === "[") {
      if (this.#stack.length >= maxDepth) return "broken";
      this.#open();
      return undefined;
    }
    const read = this.#scalarWithin(open);
    if (read === undefined) return this.#at >= this.#text.length ? "end" : "broken";
    add(open, read.value);
    this.#seen += 1;
    return undefined;
  }

  #scalarWithin(open: Open): { value: unknown } | undefined {
    const quote = closingQuotes[this.#text[this.#at] ?? ""];
    if (quote !== undefined) {
      this.#at += 1;
      const value = this.#characters(quote, (end) => this.#mayFollow(end, open.list !== undefined));
      return value === undefined ? undefined : { value };
    }
    const read = this.#word() ?? this.#number();
    // The next character of a number or a word that the text ends with may be missing.
    return this.#at >= this.#text.length ? undefined : read;
  }

  #open(): void {
    this.#lastOpener = this.#at;
    this.#stack.push({ list: this.#text[this.#at] === "[" ? [] : undefined, members: [], key: undefined });
    this.#at += 1;
  }

  #close(): Read<unknown> | undefined {
    const closed = this.#stack.pop();
    this.#at += 1;
    if (closed === undefined) return undefined;
    const value = jsonOf(closed);
    const parent = this.#stack.at(-1);
    if (parent === undefined) return { value, end: this.#at };
    add(parent, value);
    this.#seen += 1;
    return undefined;
  }

  /** What is complete of what is not: an object that lies in a list goes as a whole, so that no half of one is taken for one. */
  #partial(): unknown {
    return this.#stack.reduceRight((inner: unknown, open) => {
      if (inner !== undefined && open.key !== undefined) add(open, inner);
      return jsonOf(open);
    }, undefined);
  }

  #key(): string | undefined {
    const quote = closingQuotes[this.#text[this.#at] ?? ""];
    if (quote === undefined) return this.#match(bareWord);
    this.#at += 1;
    return this.#characters(quote, (end) => /[:,}]/.test(this.#text[this.#behind(end)] ?? ":"));
  }

  #word(): { value: boolean | null } | undefined {
    const start = this.#at;
    const value = words.get(this.#match(bareWord) ?? "");
    if (value !== undefined) return { value };
    if (this.#at < this.#text.length) this.#at = start;
    return undefined;
  }

  #number(): { value: number | null } | undefined {
    const digits = this.#match(numeral);
    if (digits === undefined) return undefined;
    const value = Number(digits);
    return { value: Number.isFinite(value) ? value : null };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** What was read of a string that does not end. */
  #broken = "";

  /** The characters of a string, to the first closing quote behind which it may end; `undefined` where the text ends before. */
  #characters(quote: string, mayEnd: (end: number) => boolean): string | undefined {
    const pieces: string[] = [];
    let from = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === quote && mayEnd(this.#at + 1)) {
        pieces.push(this.#text.slice(from, this.#at));
        this.#at += 1;
        return wellFormed(pieces.join(""));
      }
      if (character !== "\\") continue;
      pieces.push(this.#text.slice(from, this.#at));
      const [escaped, length] = this.#escape();
      pieces.push(escaped);
      this.#at += length - 1;
      from = this.#at + 1;
    }
    this.#at = this.#text.length;
    this.#broken = wellFormed(pieces.join("") + this.#text.slice(from));
    return undefined;
  }

  /** What an escape stands for, and its length; one that is none stands for itself. */
  #escape(): [string, number] {
    const character = this.#text[this.#at + 1] ?? "";
    if (character === "u") {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (/^[\da-f]{4}$/i.test(digits)) return [String.fromCharCode(Number.parseInt(digits, 16)), 6];
    }
    const known = escapes[character];
    if (known !== undefined) return [known, 2];
    return [/[a-z\d]/i.test(character) ? `\\${character}` : character, 1 + character.length];
  }

  /** True where what is behind a string goes on as JSON does. A quote within a string that was not escaped has words behind it. */
  #mayFollow(end: number, inList: boolean): boolean {
    const next = this.#behind(end);
    const character = this.#text[next];
    if (character === undefined || character === (inList ? "]" : "}")) return true;
    if (character === "]" || character === "}") return this.#stack.length > 1;
    if (character === ",") return this.#mayBegin(this.#behind(next + 1), inList);
    if (character === "/" || character === "#") return next > end;
    // A comma was forgotten at the end of a line.
    return /["'{[]/.test(character) && this.#text.slice(end, next).includes("\n");
  }

  /** True where a member, an element or the end of the list may stand. */
  #mayBegin(at: number, inList: boolean): boolean {
    const character = this.#text[at];
    if (character === undefined || /["'\u201c{}[\],/#\d.+-]/.test(character)) return true;
    bareWord.lastIndex = at;
    const word = bareWord.exec(this.#text)?.[0];
    if (word === undefined) return false;
    const end = at + word.length;
    if (end >= this.#text.length) return true;
    return inList ? words.has(word) : this.#text[this.#behind(end)] === ":";
  }

  /** The next place that is no white space. */
  #behind(at: number): number {
    let place = at;
    while (isSpace(this.#text.charCodeAt(place))) place += 1;
    return place;
  }

  /** Passes over white space and comments. */
  #skipNoise(): void {
    for (;;) {
      this.#at = this.#behind(this.#at);
      const [first, second] = [this.#text[this.#at], this.#text[this.#at + 1]];
      const isLine = first === "#" || (first === "/" && second === "/");
      if (!isLine && !(first === "/" && second === "*")) return;
      const end = isLine ? this.#text.indexOf("\n", this.#at) : this.#text.indexOf("*/", this.#at + 2);
      this.#at = end < 0 ? this.#text.length : end + (isLine ? 1 : 2);
    }
  }
}

function add(open: Open, value: unknown): void {
  if (open.list !== undefined) open.list.push(value);
  else if (open.key !== undefined) open.members.push([open.key, value]);
  open.key = undefined;
}

function jsonOf({ list, members }: Open): unknown {
  return list ?? Object.fromEntries(members);
}

/** A lone half of a pair is no character, and no store keeps it. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** White space, a byte order mark and a space that does not break included. */
function isSpace(code: number): boolean {
  return (code >= 9 && code <= 13) || code === 32 || code === 0xa0 || code === 0xfeff || code === 0x2028;
}
