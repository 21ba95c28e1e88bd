/** A JSON value in a few words, for error messages: `number 7`, `null`, `an array`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "string")
    return value === "" ? "an empty string" : `string ${JSON.stringify(short(value))}`;
  return `${typeof value} ${String(value)}`;
}

function short(text: string): string {
  const characters = [...text.slice(0, 80)];
  return characters.length <= 30 && text.length <= 80 ? text : `${characters.slice(0, 30).join("")}…`;
}
