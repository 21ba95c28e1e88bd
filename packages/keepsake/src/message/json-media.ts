import { isPlainObject } from "../util/index.ts";
import { nameIn } from "./names.ts";

/** Base64 that is a file with certainty: no other text of a tool is this long and has no space. */
const minBase64Length = 1000;

const base64 = /^(?:data:([^,]*),)?[\w+/-]+=*$/;
/** How PNG, JPEG and GIF begin. */
const image = /^(?:iVBORw|\/9j\/|R0lGOD)/;

/** The placeholder of a medium within JSON: a part that says that it is one, or a long string of base64; `undefined` for all else. */
export function placeholderOf(value: unknown): string | undefined {
  if (typeof value === "string") {
    const found = value.length > minBase64Length ? base64.exec(value) : null;
    return found ? placeholder(image.test(value) ? "image" : (found[1] ?? "")) : undefined;
  }
  if (!isPlainObject(value)) return undefined;
  const { type, data, mimeType, mediaType, url } = value;
  if (!/^(?:image|audio|video|file|media)/.test(String(type))) return undefined;
  const mime = nameIn(mimeType ?? mediaType);
  // An entry of a list of files has a type as well, and no content.
  const isMedia = typeof data === "string" || ArrayBuffer.isView(data) || (mime && typeof url === "string");
  return isMedia ? placeholder(`${mime} ${type}`) : undefined;
}

function placeholder(hint: string): string {
  return `[${/image|audio|video/.exec(hint)?.[0] ?? "file"}]`;
}

/** A value of JSON with placeholders for its media; the value itself where it holds none. */
export function withoutMedia(value: unknown): unknown {
  return placeholderOf(value) ?? mapEntries(value, withoutMedia);
}

/** A list or an object with other values; itself where none changes. */
export function mapEntries(value: unknown, map: (entry: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const copy = value.map(map);
    return copy.every((entry, index) => Object.is(entry, value[index])) ? value : copy;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, map(entry), entry] as const);
  return entries.every(([, entry, own]) => Object.is(entry, own)) ? value : Object.fromEntries(entries);
}
