import fc from "fast-check";
import type { Wire, WireFormat } from "./format.ts";

const DAMAGES = [
  "drop",
  "drop",
  "drop-result",
  "repeat-part",
  "repeat-object",
  "repeat-copy",
  "swap",
  "move",
  "orphan",
  "stale-result",
  "blank-user",
  "blank-assistant",
  "thought",
  "junk",
  "unknown-role",
  "system",
  "begin-late",
  "cut-off",
] as const;

/** One thing that crashes, interrupts, edits and other trimmers do to a list. */
export interface Damage {
  readonly op: (typeof DAMAGES)[number];
  readonly at: number;
  readonly to: number;
  /** Any JSON value. */
  readonly junk: fc.JsonValue;
}

export const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({
    op: fc.constantFrom(...DAMAGES),
    at: fc.nat(1000),
    to: fc.nat(1000),
    junk: fc.jsonValue({ maxDepth: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** A list with a damage; `label` is unlike that of every other damage. */
export function damage(
  list: readonly Wire[],
  format: WireFormat,
  { op, at, to, junk }: Damage,
  label: string,
): readonly Wire[] {
  const insert = (kind: Wire["kind"], message: unknown, tokens = 7): readonly Wire[] =>
    list.toSpliced(at % (list.length + 1), 0, { message, kind, group: label, tokens });
  switch (op) {
    case "orphan":
      return insert("result", format.orphan(`z${to % 3}`));
    case "stale-result":
      return insert("result", format.orphan(`c${1 + (to % 4)}`));
    case "blank-user":
      return insert("user", format.blank("user", to));
    case "blank-assistant":
      return insert("ai", format.blank("assistant", to));
    case "thought":
      return insert("ai", format.thought(label));
    case "junk":
      return insert("junk", junk);
    case "unknown-role":
      return insert("other", { role: "narrator", content: `aside ${label}` });
    case "system":
      return insert("system", { role: "system", content: `also ${label}` });
    default:
      return list.length === 0 ? list : damageExisting(list, op, at % list.length, to);
  }
}

function damageExisting(list: readonly Wire[], op: Damage["op"], at: number, to: number): readonly Wire[] {
  const one = list[at] as Wire;
  switch (op) {
    case "drop":
      return list.toSpliced(at, 1);
    case "drop-result": {
      const result = list.findIndex(({ kind }, index) => kind === "result" && index >= at);
      return result < 0 ? list : list.toSpliced(result, 1);
    }
    case "repeat-part":
      return list.with(at, { ...one, message: withPartTwice(one.message) });
    case "repeat-object":
      return list.toSpliced(to % (list.length + 1), 0, one);
    case "repeat-copy":
      return list.toSpliced(to % (list.length + 1), 0, { ...one, message: copyOf(one.message) });
    case "swap":
    case "move":
      return list.toSpliced(at, 1).toSpliced(op === "swap" ? at + 1 : to % list.length, 0, one);
    case "begin-late":
      return list.slice(at);
    default:
      return list.slice(0, at);
  }
}

/** A message that holds its last part twice: a result, a call, a text; not what the provider's own tools gave. */
function withPartTwice(message: unknown): unknown {
  if (!isPlain(message) || JSON.stringify(message).includes("web_search_tool_result")) return message;
  const copy = structuredClone(message) as { content?: unknown; parts?: unknown };
  const parts = [copy.content, copy.parts].find((one) => Array.isArray(one));
  if (Array.isArray(parts) && parts.length > 0) parts.push(structuredClone(parts.at(-1)));
  return copy;
}

const isPlain = (message: unknown): boolean =>
  typeof message === "object" && message !== null && Object.getPrototypeOf(message) === Object.prototype;

/** The same message again, as a host gets it from its database; instances of classes stay what they are. */
function copyOf(message: unknown): unknown {
  return isPlain(message) ? structuredClone(message) : message;
}
