const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const controls = /\p{Cc}/gu;
/** Marks of writing direction, and characters that nobody sees and a model reads. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;
const loneSurrogates = /\p{Cs}/gu;
const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * A text as one line in which nothing is a tag: a line break is written out as `\n`, `<`, `>` and `&` are escaped, and what nobody sees is left
 * out.
 */
export function oneLine(text: string): string {
  const lines = text.split(lineBreak).map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .join(" \\n ")
    .replace(controls, " ")
    .replace(invisible, "")
    .replace(loneSurrogates, "\ufffd")
    .replace(/[&<>]/g, (character) => escapes[character] ?? "");
}
