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
 * A list that does not continue what was seen was cut. There a content that occurred once keeps its id as long as the last message seen is
 * still in the list; what may be another message of the same content gets an id of its own: delivered twice rather than never.
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
    .filter((list) => isContinued(list, scope.objects, messages, contents))
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

/** True where a list begins with all of an earlier one: the same contents, and no object that stood elsewhere. */
function isContinued(
  { contents, places }: KnownList,
  objects: WeakSet<object>,
  messages: readonly unknown[],
  now: readonly string[],
): boolean {
  const stays = (message: unknown, index: number): boolean => {
    if (!isObject(message)) return true;
    const place = places.get(message) ?? (objects.has(message) ? undefined : index);
    return place === index || place === -1;
  };
  return (
    now[contents.length - 1] === contents.at(-1) &&
    contents.every((content, index) => content === now[index] && stays(messages[index], index))
  );
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
  const content = hash128(JSON.stringify([role, text, results, calls]));
  contentsOfRecords.set(record, content);
  return content;
}
