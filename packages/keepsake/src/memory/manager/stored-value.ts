import { isRecord } from "../../util/index.ts";
import { readStored } from "./existing.ts";
import { contentOf, shapeOf, type WorkingMemory } from "./working-set.ts";

/** What of an engine's fact says when and by whom its text was said: it does not hold for another text. */
const saidBy: readonly string[] = ["at", "eventDate", "date", "role", "name"];

/** A stored value as a memory with fields, and how it becomes a value again. */
export function storedMemory(value: Readonly<Record<string, unknown>>): {
  readonly kind: string | undefined;
  readonly shape: Pick<WorkingMemory, "fields" | "isWrapped">;
  /** The value with other fields; what stands beside the content stays. */
  with(fields: Readonly<Record<string, unknown>>): Record<string, unknown>;
} {
  const { kind, content } = readStored(value);
  const shape = shapeOf(content);
  return {
    kind,
    shape,
    with(fields) {
      const next = contentOf({ ...shape, fields });
      if (!Object.hasOwn(value, "content")) return isRecord(next) ? next : { ...value };
      const beside = Object.entries(value).filter(([name]) => kind !== "memory" || !saidBy.includes(name));
      return { ...Object.fromEntries(beside), content: next };
    },
  };
}
