import { hash128, isRecord } from "../../util/index.ts";
import { memoryText } from "../record.ts";

/** What of a stored value says which fact it is; what is of another type than a memory has it counts as missing. */
export interface FactTraits {
  readonly kind?: unknown;
  readonly content?: unknown;
  readonly subject?: unknown;
  readonly role?: unknown;
  readonly name?: unknown;
  readonly private?: unknown;
  readonly source?: unknown;
}

/** Ends of sentences, quotes, brackets and white space: at the ends of a text they change nothing of what it says. */
const edge = /[\s.,;:!…"'`“”‘’«»()[\]{}。、！，；：「」『』]/u;

/** A text as it is compared: Unicode form, case, white space and punctuation at the ends aside. Numbers stay what they are. */
export function normalText(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  let start = 0;
  let end = folded.length;
  while (start < end && edge.test(folded.charAt(start))) start += 1;
  while (end > start && edge.test(folded.charAt(end - 1))) end -= 1;
  return folded.slice(start, end).replaceAll(/\s+/g, " ");
}

/** The hash of what a content says, by {@link normalText}. */
export function contentHash(content: unknown): string {
  return hash128(normalText(memoryText(content)));
}

/**
 * The key of a fact: from what it says, so that engines that learn the same at once meet at one key. Private facts, and those of a source,
 * are apart from others, since not everyone who may recall one may recall the other.
 */
export function factKey(fact: FactTraits): string {
  return hash128(
    JSON.stringify([kindOf(fact), contentHash(fact.content), fact.private === true, fact.source ?? null]),
  );
}

/**
 * What a fact is about, in one text that is the same in whatever case and spacing subject and attribute were written: stores find what is
 * equal. `undefined` where one of the two is missing.
 */
export function topicOf({
  subject,
  attribute,
}: {
  readonly subject?: unknown;
  readonly attribute?: unknown;
}): string | undefined {
  if (typeof subject !== "string" || typeof attribute !== "string") return undefined;
  return `${normalText(subject)}: ${normalText(attribute)}`;
}

/** The keys to take where another fact has the first: one whose text was changed, or that another person said. */
export function keyAt(key: string, place: number): string {
  return place === 0 ? key : hash128(`${key}#${place}`);
}

/** True where two values are one fact: the same text, kind and owner, of the same person as far as both say whose. */
export function isSameFact(left: FactTraits, right: FactTraits): boolean {
  return factKey(left) === factKey(right) && isSamePerson(left, right);
}

function isSamePerson(left: FactTraits, right: FactTraits): boolean {
  for (const trait of ["subject", "name", "role"] as const) {
    const [one, other] = [left[trait], right[trait]];
    if (typeof one === "string" && typeof other === "string") return normalText(one) === normalText(other);
  }
  return true;
}

/** Text is one kind, whoever wrote it; records are of the kind that they name. */
export function kindOf({ kind, content }: FactTraits): string {
  const isText =
    typeof content === "string" || (isRecord(content) && memoryText(content) === content.content);
  return isText || typeof kind !== "string" ? "memory" : kind;
}
