import { type MessageRecord, recordOf, rewriteTexts, trait } from "../message/index.ts";
import { excerptOf, isExcerpt } from "./excerpt.ts";

/** Text parts of a message that are shortened, the largest. */
const maxParts = 32;
/** UTF-16 code units that the texts of a message keep together where the rest of it alone is more than the limit. */
const leastKept = 200;
/** Copies that are measured for one part. */
const maxTrials = 12;

/** A list as the window shows it. */
export interface ShownList<M> {
  /** The messages, with copies in place of oversized ones; the list itself where there are none. */
  readonly messages: readonly M[];
  /** The indices of copies that came with the list: their originals were handed over. */
  readonly copies: ReadonlySet<number>;
}

/** What a {@link createShortener} needs. */
export interface ShortenerOptions<M> {
  readonly maxTokens: number;
  readonly tokensOf: (message: M, record: MessageRecord) => number;
  readonly isPinned: (message: M) => boolean;
}

/**
 * Makes a function that puts copies in place of oversized messages, but for those at the indices in `absent`, prompts, messages of unknown
 * roles, and what the app pins. A message has the same copy as long as its content is the same.
 */
export function createShortener<M>({
  maxTokens,
  tokensOf,
  isPinned,
}: ShortenerOptions<M>): (list: readonly M[], absent: ReadonlySet<number>) => ShownList<M> {
  /** By record: the copy; null for what is a copy itself; undefined for what stays as it is. */
  const copies = new WeakMap<MessageRecord, { readonly copy: M | null | undefined }>();

  function copyOf(message: M, record: MessageRecord): M | null | undefined {
    const known = copies.get(record);
    if (known !== undefined) return known.copy;
    const copy = makeCopy(message, record);
    copies.set(record, { copy });
    return copy;
  }

  function makeCopy(message: M, record: MessageRecord): M | null | undefined {
    const { role, text } = record.view;
    if (role === "system" || role === "other") return undefined;
    if (text.includes("(keepsake ") && textsOf(message).some(holdsExcerpt)) return null;
    return tokensOf(message, record) > maxTokens ? shorten(message, measure, maxTokens) : undefined;
  }

  function measure(message: M): number {
    const record = recordOf(message);
    return record === undefined ? Number.POSITIVE_INFINITY : tokensOf(message, record);
  }

  return (list, absent) => {
    const shown = [...list];
    const known = new Set<number>();
    let isChanged = false;
    for (const [index, message] of list.entries()) {
      const record = absent.has(index) ? undefined : recordOf(message);
      const copy = record && copyOf(message, record);
      if (copy === null) known.add(index);
      else if (copy !== undefined && !isPinned(message) && !isMarked(record)) {
        shown[index] = copy;
        isChanged = true;
      }
    }
    return { messages: isChanged ? shown : list, copies: known };
  };
}

/** True for a message with its format's own mark of a pinned one. */
function isMarked(record: MessageRecord | undefined): boolean {
  return record !== undefined && (record.traits & trait.pinned) !== 0;
}

/** True for an excerpt, also where a format that wants an object wraps it. */
function holdsExcerpt(text: string): boolean {
  try {
    const { output } = JSON.parse(text);
    return typeof output === "string" && isExcerpt(output);
  } catch {
    return isExcerpt(text);
  }
}

function textsOf(message: unknown): readonly string[] {
  let found: readonly string[] = [];
  rewriteTexts(message, (texts) => {
    found = texts;
    return texts;
  });
  return found;
}

/**
 * A copy of at most so many tokens, the largest text shortened first. Where what is no text is too much, a copy with as little text as
 * there can be; `undefined` where that is no smaller than the message.
 */
function shorten<M>(message: M, measure: (copy: M) => number, maxTokens: number): M | undefined {
  const whole = textsOf(message);
  const texts = [...whole];
  const largest = texts
    .map((text, index) => ({ text, index }))
    .sort((one, other) => other.text.length - one.text.length)
    .slice(0, maxParts);
  for (const { text, index } of largest) {
    const trial = (kept: number): Trial<M> => {
      const excerpt = excerptOf(text, kept);
      // The format of the copy is the original's, and so is its type.
      const copy = rewriteTexts(message, () => texts.with(index, excerpt)) as M | undefined;
      return { copy, excerpt, kept, tokens: copy === undefined ? Number.POSITIVE_INFINITY : measure(copy) };
    };
    const least = trial(0);
    if (least.tokens <= maxTokens) return fill(least, trial, maxTokens, text.length, measure(message)).copy;
    if (least.excerpt.length < text.length) texts[index] = least.excerpt;
  }
  return shortest(message, whole, measure);
}

function shortest<M>(message: M, texts: readonly string[], measure: (copy: M) => number): M | undefined {
  const kept = Math.floor(leastKept / texts.length);
  const excerpts = texts.map((text) => {
    const excerpt = text.length > kept ? excerptOf(text, kept) : text;
    return excerpt.length < text.length ? excerpt : text;
  });
  const copy = rewriteTexts(message, () => excerpts) as M | undefined;
  return copy !== undefined && copy !== message && measure(copy) < measure(message) ? copy : undefined;
}

interface Trial<M> {
  readonly copy: M | undefined;
  readonly excerpt: string;
  /** UTF-16 code units of the text that were kept. */
  readonly kept: number;
  readonly tokens: number;
}

/** Keeps as much of a text as there is room for, to within a twentieth of the limit: the tokens of a text grow about evenly. */
function fill<M>(
  least: Trial<M>,
  trial: (kept: number) => Trial<M>,
  maxTokens: number,
  length: number,
  tokens: number,
): Trial<M> {
  let best = least;
  let over = { kept: length, tokens };
  for (let trials = 0; trials < maxTrials && best.tokens < maxTokens * 0.95; trials += 1) {
    const share = trials % 2 === 0 ? (maxTokens - best.tokens) / (over.tokens - best.tokens) : 0.5;
    const kept = best.kept + Math.floor((over.kept - best.kept) * Math.min(share, 1));
    if (kept === best.kept || kept === over.kept) break;
    const next = trial(kept);
    if (next.tokens <= maxTokens) best = next;
    else over = next;
  }
  return best;
}
