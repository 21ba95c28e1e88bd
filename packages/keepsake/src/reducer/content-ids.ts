import { deliveryIdOf, scopeRef } from "../delivery/index.ts";
import { type MessageRecord, recordOf } from "../message/index.ts";
import { canonicalJson, deleteOldest, hash128, isObject } from "../util/index.ts";
import type { IdentifyContext } from "./config.ts";

/** Scopes that are remembered, least recently used forgotten first: as many as the ledger has pages. */
const maxScopes = 10_000;
/** Contents remembered in one scope, oldest forgotten first, and in all of them, least recently used scope first. */
const maxContents = 20_000;
const maxContentsInAll = 200_000;
/** Lists remembered in one scope: the conversations in it, and what was cut from them. */
const maxLists = 4;

/** At the end of the content of what never leaves because of its role. */
const promptMark = "p";

/** A list that was seen, with all that it grew by since. */
interface KnownList {
  readonly contents: string[];
  readonly ids: string[];
  /** Where its objects stand; -1 for one that stands in several places. */
  readonly places: WeakMap<object, number>;
  /** True for the first list of a scope: nothing had left it, so that its ids are those of any other process. */
  readonly isWhole: boolean;
}

/** What is remembered of a scope. */
interface KnownScope {
  /** By content, how often it occurred, and the id of the latest occurrence. */
  readonly seen: Map<string, { readonly count: number; readonly id: string }>;
  /** Latest first. */
  lists: KnownList[];
  /** The objects of all lists so far. */
  readonly objects: WeakSet<object>;
  /** True where contents were forgotten: one that is unknown may have been there before. */
  isForgetful: boolean;
}

/**
 * Makes an `identify` for messages without ids, for hosts that pass the full history on every call: an id is made of the content (role,
 * text, calls with names and arguments, results) and of how often it occurred before. So overlapping lists, and the whole history again
 * after a restart, deliver each message once.
 *
 * A list that does not continue what was seen was cut; one of other objects that repeats its beginning may have been. In such a list a
 * content that occurred once keeps its id as long as the last message seen is still in the list; what may be another message of the same
 * content gets an id of its own: delivered twice rather than never.
 *
 * One helper serves one reducer.
 *
 * @example
 * ```ts
 * const reducer = new MessageReducer({ identify: contentIds(), onPrune: [remember] });
 * ```
 */
export function contentIds(): (message: unknown, context: IdentifyContext) => string | undefined {
  const idsOfList = new WeakMap<readonly unknown[], readonly string[]>();
  const inScope = createScopes();
  const nonce = deliveryIdOf([undefined]);
  let serial = 0;
  const newId = (): string => {
    serial += 1;
    return `${nonce}.${serial}`;
  };
  return (_, context) => {
    const { messages, index } = context;
    const ids = idsOfList.get(messages) ?? inScope(context, (scope) => follow(scope, context, newId));
    idsOfList.set(messages, ids);
    return ids[index];
  };
}

/** Gives the messages of a list their ids, and remembers them. */
function follow(
  scope: KnownScope,
  { messages, isSummarized }: IdentifyContext,
  newId: () => string,
): readonly string[] {
  const { seen, lists, isForgetful } = scope;
  const contents = messages.map(contentOf);
  const [longest] = lists
    .filter((list) => isContinued(list, scope, messages, contents))
    .sort((one, other) => other.ids.length - one.ids.length);
  const list = longest ?? {
    contents: [],
    ids: [],
    places: new WeakMap(),
    isWhole: lists.length === 0 && !isForgetful && !isSummarized,
  };
  const sure = longest === undefined ? sureLength(lists, contents) : 0;
  for (let index = list.ids.length; index < contents.length; index += 1) {
    const content = contents[index] as string;
    const before = seen.get(content);
    if (before?.count === 1 && index < sure) list.ids.push(before.id);
    else {
      const count = (before?.count ?? 0) + 1;
      const isKnownEverywhere = !isForgetful && (list.isWhole || count === 1);
      const id = content + (isKnownEverywhere ? count : newId());
      seen.set(content, { count, id });
      list.ids.push(id);
    }
    list.contents.push(content);
  }
  messages.forEach((message, index) => {
    if (!isObject(message) || list.places.get(message) === index) return;
    list.places.set(message, list.places.has(message) ? -1 : index);
    scope.objects.add(message);
  });
  scope.lists = [list, ...lists.filter((other) => other !== list)].slice(0, maxLists);
  return list.ids;
}

/**
 * True where a list begins with all of an earlier one, and is no list that was cut: it has the earlier one's objects, or other ones, and
 * could not come from cutting any list that was seen.
 */
function isContinued(
  { contents, places }: KnownList,
  { lists, objects }: KnownScope,
  messages: readonly unknown[],
  now: readonly string[],
): boolean {
  if (now.length < contents.length || contents.some((content, index) => content !== now[index])) return false;
  let areKnown = true;
  let standsStill = false;
  for (let index = 0; index < contents.length; index += 1) {
    const message = messages[index];
    const place = isObject(message) ? places.get(message) : undefined;
    const isElsewhere =
      place === undefined ? isObject(message) && objects.has(message) : place >= 0 && place !== index;
    if (isElsewhere) return false;
    areKnown &&= place !== undefined;
    standsStill ||= index > 0 && place === index;
  }
  return (areKnown && standsStill) || !lists.some((list) => maybeCutOf(list.contents, now));
}

/**
 * True where a list may be what is left of an earlier one, and new messages: it begins with the end of that, or does so behind the
 * preserved first message. Prompts never leave: they are looked through.
 */
function maybeCutOf(earlier: readonly string[], list: readonly string[]): boolean {
  const [before, now] = [earlier, list].map((contents) => contents.filter((content) => !isPrompt(content)));
  if (before === undefined || now === undefined) return false;
  return beginsWithEnd(now, before) || (now[0] === before[0] && beginsWithEnd(now.slice(1), before.slice(1)));
}

/**
 * True where a list begins with an end of another, but for the whole of it. O(n), by the prefix function of Knuth, Morris and Pratt (1977).
 */
function beginsWithEnd(list: readonly string[], other: readonly string[]): boolean {
  const end = other.slice(1);
  const prefix = list.slice(0, end.length);
  const sequence = [...prefix, undefined, ...end];
  const lengths: number[] = [0];
  for (let index = 1; index < sequence.length; index += 1) {
    let length = lengths[index - 1] ?? 0;
    while (length > 0 && sequence[index] !== sequence[length]) length = lengths[length - 1] ?? 0;
    lengths.push(sequence[index] === sequence[length] ? length + 1 : 0);
  }
  return end.length > 0 && prefix.length > 0 && (lengths.at(-1) ?? 0) > 0;
}

/** True for the content of a message that never leaves because of its role. */
function isPrompt(content: string): boolean {
  return content.endsWith(promptMark);
}

/**
 * How many messages at the beginning of a list that was cut have been seen: up to the last one of an earlier list, where what is before it
 * stood in that list, too. Where the list was changed at its end instead, the part that is the same.
 */
function sureLength(lists: readonly KnownList[], now: readonly string[]): number {
  for (const { contents } of lists) {
    const last = lastSeen(contents, now);
    if (last >= 0) return last + 1;
  }
  const shared = lists.map(({ contents }) => {
    const end = contents.findIndex((content, index) => content !== now[index]);
    return end > contents.length / 2 ? end : 0;
  });
  return Math.max(0, ...shared);
}

/** Where the last content of an earlier list first stands, behind nothing but contents of that list in their order; -1 without it. */
function lastSeen(contents: readonly string[], now: readonly string[]): number {
  let place = 0;
  for (const [index, content] of now.entries()) {
    if (content === contents.at(-1)) return index;
    place = contents.indexOf(content, place) + 1;
    if (place === 0) return -1;
  }
  return -1;
}

/** Remembers scopes, least recently used first; while `work` lasts, the scope that it works on is none of them. */
function createScopes(): <R>(scope: IdentifyContext, work: (known: KnownScope) => R) => R {
  const scopes = new Map<string, KnownScope>();
  let total = 0;
  return ({ namespace, threadId }, work) => {
    const { key } = scopeRef({ namespace, threadId });
    const known = scopes.get(key) ?? {
      seen: new Map(),
      lists: [],
      objects: new WeakSet(),
      isForgetful: false,
    };
    scopes.delete(key);
    total -= known.seen.size;
    const result = work(known);
    forgetOldest(known, maxContents);
    total += known.seen.size;
    for (const [oldestKey, oldest] of scopes) {
      if (total <= maxContentsInAll && scopes.size < maxScopes) break;
      total -= oldest.seen.size;
      forgetOldest(oldest, 0);
      oldest.lists = [];
      if (scopes.size >= maxScopes) scopes.delete(oldestKey);
    }
    scopes.set(key, known);
    return result;
  };
}

function forgetOldest(scope: KnownScope, most: number): void {
  if (scope.seen.size > most) scope.isForgetful = true;
  deleteOldest(scope.seen, most);
}

const contentsOfRecords = new WeakMap<MessageRecord, string>();

/** A hash of all that a message says; an empty text for what cannot be read. */
function contentOf(message: unknown): string {
  const record = recordOf(message);
  if (record === undefined) return "";
  const known = contentsOfRecords.get(record);
  if (known !== undefined) return known;
  const { role, text, results } = record.view;
  const calls = record.calls.map(({ id, name, input }) => [id, name, canonicalJson(input)]);
  const hash = hash128(JSON.stringify([role, text, results, calls]));
  const content = role === "system" || role === "other" ? hash + promptMark : hash;
  contentsOfRecords.set(record, content);
  return content;
}
