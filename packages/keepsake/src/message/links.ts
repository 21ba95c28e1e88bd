import { isOrdinal } from "./called.ts";
import type { Call } from "./calls.ts";
import type { Nature, PendingPart } from "./nature.ts";
import type { Part } from "./part.ts";
import type { MessageRole } from "./view.ts";

/** What ties a message to others. */
export interface Links {
  readonly calls: readonly Call[];
  /** What later messages must answer, approvals included. */
  readonly asks: readonly string[];
  /** What the message answers without having asked for it, approvals included. */
  readonly answers: readonly string[];
  /** The tool calls among `asks`, and the results among `answers`. */
  readonly open: readonly string[];
  readonly results: readonly string[];
  readonly bound: readonly string[];
  readonly nature: Nature;
  readonly pending: readonly PendingPart[];
}

const none: readonly never[] = [];

/** The links of a message that stands for itself. */
const noLinks: Links = {
  calls: none,
  asks: none,
  answers: none,
  open: none,
  results: none,
  bound: none,
  nature: {},
  pending: none,
};

/**
 * Finds out what ties a message to others, from its parts and from the calls and the answer that it names beside them. What is asked and
 * answered in one message ties it to none.
 */
export function linksOf(
  parts: readonly Part[],
  role: MessageRole,
  listed: readonly Call[],
  answer: string | undefined,
): Links {
  const isAi = role === "ai";
  if (parts.every(isAlone)) return linksBeside(listed, answer);
  const found = gather(parts, isAi ? listed : none);
  const { asked, offered, freed, approvals } = found;
  for (const id of freed) if (offered.has(id)) asked.delete(id);
  const given = isAi || role === "tool" || role === "human" ? found.answers : new Set<string>();
  const answered = answer === undefined ? given : new Set([answer]);
  const asks = isAi ? [...asked].filter((id) => !answered.has(id)) : none;
  const isOthers = (id: string): boolean => !isAi || !(asked.has(id) || offered.has(id));
  const answers = [...answered].filter(isOthers);
  const isCall = (id: string): boolean => !approvals.has(id);
  return {
    calls: isAi ? found.calls : none,
    asks,
    answers,
    open: approvals.size === 0 ? asks : asks.filter(isCall),
    results: approvals.size === 0 ? answers : answers.filter(isCall),
    bound: [...found.bound],
    nature: isAi ? natureOf(found, answered) : found.nature.pinned ? { pinned: true } : noLinks.nature,
    pending: found.pending,
  };
}

/** The links of a message whose parts tie nothing. */
function linksBeside(listed: readonly Call[], answer: string | undefined): Links {
  if (answer !== undefined) return { ...noLinks, answers: [answer], results: [answer] };
  if (listed.length === 0) return noLinks;
  const ids = new Set<string>();
  for (const { id } of listed) add(ids, id);
  const asks = [...ids];
  const names = new Map<string, string>();
  addMadeUp(names, listed);
  return { ...noLinks, calls: listed, asks, open: asks, nature: names.size > 0 ? { names } : noLinks.nature };
}

/** Notes the calls whose ids were made up from their names. */
function addMadeUp(names: Map<string, string>, calls: readonly Call[]): void {
  for (const { id, name } of calls) if (id !== undefined && isOrdinal(id, name)) names.set(id, name);
}

/** True for a part that ties nothing. */
function isAlone({ kind, bound, nature }: Part): boolean {
  return (
    (kind === "text" || kind === "media" || kind === "marker") && bound === undefined && nature === undefined
  );
}

/** What the parts of a message say, and the calls beside them, each id once. */
interface Found {
  readonly calls: Call[];
  readonly asked: Set<string>;
  readonly offered: Set<string>;
  readonly freed: Set<string>;
  readonly answers: Set<string>;
  readonly approvals: Set<string>;
  readonly bound: Set<string>;
  readonly pending: PendingPart[];
  readonly tools: Map<string, string>;
  nature: Nature;
}

/** One pass over the parts, since messages are read in their thousands. */
function gather(parts: readonly Part[], listed: readonly Call[]): Found {
  const found: Found = {
    calls: [...listed],
    asked: new Set(),
    offered: new Set(),
    freed: new Set(),
    answers: new Set(),
    approvals: new Set(),
    bound: new Set(),
    pending: [],
    tools: new Map(),
    nature: noLinks.nature,
  };
  for (const { id } of listed) add(found.asked, id);
  addMadeUp(found.tools, listed);
  for (const part of parts) {
    const { kind, call, asks, answers, tool, pending, nature } = part;
    // Calls beside the content are the same ones: only what they leave out is new.
    if (call !== undefined && (listed.length === 0 || isNew(call, listed))) found.calls.push(call);
    add(found.asked, asks);
    add(found.offered, part.offers);
    add(found.freed, part.frees);
    add(found.answers, answers);
    add(found.bound, part.bound);
    if (kind === "approval") add(found.approvals, asks ?? answers);
    if (tool !== undefined && asks !== undefined) found.tools.set(asks, tool);
    if (pending !== undefined) found.pending.push(...pending);
    if (nature !== undefined) found.nature = { ...found.nature, ...nature };
  }
  return found;
}

function isNew({ id }: Call, listed: readonly Call[]): boolean {
  return id !== undefined && !listed.some((call) => call.id === id);
}

function add(ids: Set<string>, id: string | undefined): void {
  if (id !== undefined) ids.add(id);
}

function natureOf({ nature, offered, asked, tools }: Found, answered: ReadonlySet<string>): Nature {
  const offers = [...offered].filter((id) => !asked.has(id) && !answered.has(id));
  if (offers.length === 0 && tools.size === 0) return nature;
  return {
    ...nature,
    ...(offers.length > 0 ? { offers } : {}),
    ...(tools.size > 0 ? { names: tools } : {}),
  };
}
