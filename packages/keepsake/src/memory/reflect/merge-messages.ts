import { contentHashOf, viewOf } from "../../message/index.ts";

/**
 * Two lists of one conversation as one: each message once, in an order that both lists agree with. A message is the same by its id, else by
 * its content and by how often that was there before; of one that was edited the later form counts.
 */
export function mergeMessages(earlier: readonly unknown[], later: readonly unknown[]): unknown[] {
  const merged = withIdentities(earlier);
  const placeOf = (identity: string): number => merged.findIndex((entry) => entry.identity === identity);
  let place = merged.length;
  let unplaced: Entry[] = [];
  let isPlaced = false;
  for (const entry of withIdentities(later)) {
    const known = placeOf(entry.identity);
    if (known >= 0) {
      merged.splice(known, 1, entry);
      merged.splice(known, 0, ...unplaced);
      place = known + unplaced.length + 1;
      unplaced = [];
      isPlaced = true;
    } else if (isPlaced) {
      merged.splice(place, 0, entry);
      place += 1;
    } else {
      unplaced.push(entry);
    }
  }
  return [...merged, ...unplaced].map(({ message }) => message);
}

interface Entry {
  readonly identity: string;
  readonly message: unknown;
}

function withIdentities(messages: readonly unknown[]): Entry[] {
  const seen = new Map<string, number>();
  return messages.map((message) => {
    const id = viewOf(message).id;
    const name = id === undefined || id === "" ? `content ${contentHashOf(message)}` : `id ${id}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return { identity: `${count} ${name}`, message };
  });
}
