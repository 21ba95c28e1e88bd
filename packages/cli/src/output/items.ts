import type { Item, SearchItem } from "keepsake/store";
import { formatNamespace } from "../namespace.ts";
import type { Style } from "./style.ts";
import { oneLine } from "./text.ts";

/** A store's item for programs: the field names of the memory tools. */
export interface ItemDocument {
  readonly namespace: string[];
  readonly key: string;
  readonly value: Record<string, unknown>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly score?: number;
}

/** The item as JSON shows it. */
export function itemDocument(item: SearchItem): ItemDocument {
  const { namespace, key, value, createdAt, updatedAt, score } = item;
  return {
    namespace,
    key,
    value,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(score === undefined ? {} : { score }),
  };
}

/** Who said it and when, on one line: `user Elena · 2026-03-03 18:30 · thread demo`. */
export function itemHeading(item: SearchItem, searched: readonly string[], style: Style): string {
  const { name, threadId } = item.value;
  const speaker = [speakerOf(item), typeof name === "string" ? oneLine(name) : ""].filter(
    (part) => part !== "",
  );
  const isBelow = item.namespace.length > searched.length;
  const details = [
    timeOf(item),
    typeof threadId === "string" ? `thread ${oneLine(threadId)}` : "",
    isBelow ? oneLine(formatNamespace(item.namespace)) : "",
  ].filter((part) => part !== "");
  return `${style.bold(speaker.join(" "))} ${style.dim(`· ${details.join(" · ")}`)}`;
}

/** A turn's role; `memory` for any other item. */
export function speakerOf(item: Item): string {
  const { role } = item.value;
  if (typeof role !== "string" || role === "") return "memory";
  return roleName(oneLine(role));
}

/** What the item holds, as text of one line. */
export function contentOf(item: Item): string {
  const { content } = item.value;
  return oneLine(typeof content === "string" ? content : JSON.stringify(content ?? item.value));
}

/** When it was said, else when it was written: `2026-03-03 18:30`, UTC. */
export function timeOf(item: Item): string {
  const { at } = item.value;
  const said = typeof at === "string" ? Date.parse(at) : Number.NaN;
  const time = Number.isNaN(said) ? item.updatedAt : new Date(said);
  return time.toISOString().slice(0, 16).replace("T", " ");
}

/** The role in the words that files use. */
export function roleName(role: string): string {
  if (role === "human") return "user";
  return role === "ai" ? "assistant" : role;
}
