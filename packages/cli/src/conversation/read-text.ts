import { constants } from "node:buffer";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { CliError } from "../errors.ts";

/** Where a conversation comes from. */
export interface Source {
  /** As it is called in messages: the path, or `standard input`. */
  readonly label: string;
  /** Bytes, where they are known before reading. */
  readonly size: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The longest text that this Node can hold; UTF-8 never has fewer bytes than UTF-16 has units. */
const maxBytes = constants.MAX_STRING_LENGTH;

/** Opens a file, or standard input for `-`. */
export async function openSource(file: string, stdin: AsyncIterable<Uint8Array>): Promise<Source> {
  if (file === "-") return { label: "standard input", size: undefined, chunks: stdin };
  const stats = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (stats.isDirectory()) {
    throw new CliError("unreadable_file", `"${file}" is a directory; give the conversation's JSON file.`);
  }
  return { label: file, size: stats.isFile() ? stats.size : undefined, chunks: createReadStream(file) };
}

/** Reads a source to its end as UTF-8 (or UTF-16 with a byte order mark). `onBytes` is told how much is read so far. */
export async function readText(source: Source, onBytes: (bytes: number) => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source.chunks) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(source.label);
      onBytes(bytes);
    }
  } catch (error) {
    throw error instanceof CliError ? error : unreadable(source.label, error);
  }
  return decode(Buffer.concat(chunks, bytes), source.label);
}

function decode(bytes: Uint8Array, label: string): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CliError("unreadable_file", `"${label}" is not ${encoding} text; save it as UTF-8.`, { cause });
  }
}

/** Editors and shells on Windows write UTF-16 with a byte order mark. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

function tooLarge(label: string): CliError {
  const megabytes = Math.floor(maxBytes / 1024 ** 2);
  return new CliError(
    "unreadable_file",
    `"${label}" is larger than ${megabytes} MB; split the conversation.`,
  );
}

function unreadable(label: string, cause: unknown): CliError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ENOENT") return new CliError("missing_file", `There is no file "${label}".`, { cause });
  if (code === "EACCES" || code === "EPERM") {
    return new CliError("unreadable_file", `"${label}" may not be read by this user.`, { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CliError("unreadable_file", `"${label}" cannot be read: ${reason}.`, { cause });
}
