/** Colours and weights of terminal text; each a function from text to text. */
export interface Style {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Styles that do their work, or that return the text unchanged. */
export function createStyle(enabled: boolean): Style {
  const sgr = (on: number, off: number) => (text: string) =>
    enabled && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    enabled,
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    green: sgr(32, 39),
    red: sgr(31, 39),
    yellow: sgr(33, 39),
    cyan: sgr(36, 39),
  };
}

/** Colours are for terminals only, and not where `NO_COLOR` (no-color.org) or `TERM=dumb` says otherwise. */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const refused = env.NO_COLOR !== undefined && env.NO_COLOR !== "";
  return stream.isTTY === true && !refused && env.TERM !== "dumb";
}
