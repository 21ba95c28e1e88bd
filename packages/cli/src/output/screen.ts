import { shownError } from "../errors.ts";
import { createStyle, type Style, wantsColour } from "./style.ts";
import { printable } from "./text.ts";

/** A place to write to: `process.stdout` and the like. */
export interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The surroundings of a run, so that tests can give others. */
export interface Surroundings {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: NodeJS.ProcessEnv;
  /** How this program was started: `process.argv[1]`. */
  readonly script: string;
}

/** What commands print through: text for people, or JSON for programs, never both. */
export interface Screen {
  readonly json: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly width: number;
  readonly style: Style;
  /** One line for people; nothing in JSON mode. The parts that come from outside must have gone through `printable`. */
  line(text?: string): void;
  /** The one JSON document of the run; nothing in text mode. */
  document(value: unknown): void;
}

/** A screen over the surroundings' standard output. */
export function createScreen(surroundings: Surroundings, json: boolean): Screen {
  const { stdout, env } = surroundings;
  const style = createStyle(!json && wantsColour(stdout, env));
  return {
    json,
    width: widthOf(stdout),
    style,
    line(text = "") {
      if (!json) stdout.write(`${style.enabled ? text : printable(text)}\n`);
    },
    document(value) {
      if (json) stdout.write(`${jsonText(value, stdout.isTTY === true)}\n`);
    },
  };
}

/** Prints an error on standard error: a sentence and its code, or one JSON object. */
export function printError(surroundings: Surroundings, error: unknown, json: boolean): void {
  const { code, message } = shownError(error);
  const { stderr, env } = surroundings;
  if (json) {
    stderr.write(`${jsonText({ error: { code, message } }, false)}\n`);
    return;
  }
  const style = createStyle(wantsColour(stderr, env));
  stderr.write(`${style.red("error:")} ${printable(message)} ${style.dim(`(${code})`)}\n`);
}

/** Columns of a terminal, within reason; 80 for what is none or does not know (some say 0). */
export function widthOf({ columns }: Sink): number {
  return columns === undefined || columns === 0 ? 80 : Math.min(Math.max(columns, 40), 120);
}

/** JSON on one line for programs, indented for people; what a terminal might take as a command is escaped. */
function jsonText(value: unknown, indented: boolean): string {
  const text = JSON.stringify(value, undefined, indented ? 2 : undefined);
  return text.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
