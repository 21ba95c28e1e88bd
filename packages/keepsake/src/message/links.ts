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
export const noLinks: Links = {
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
  if (listed.length === 0 && answer === undefined && parts.every(isAlone)) return noLinks;
  const isAi = role === "ai";
  const calls = isAi ? withParts(listed, parts) : none;
  const asked = new Set(
    isAi ? present([...listed.map(({ id }) => id), ...parts.map((part) => part.asks)]) : none,
  );
  const offered = new Set(isAi ? present(parts.map((part) => part.offers)) : none);
  for (const { frees } of parts) if (frees !== undefined && offered.has(frees)) asked.delete(frees);
  const answered = new Set(answersOf(parts, role, answer));
  const approvals = new Set(
    parts.flatMap((part) => (part.kind === "approval" ? [part.asks, part.answers] : [])),
  );
  const asks = [...asked].filter((id) => !answered.has(id));
  const answers = [...answered].filter((id) => !asked.has(id) && !offered.has(id));
  const offers = [...offered].filter((id) => !asked.has(id) && !answered.has(id));
  const isCall = (id: string): boolean => !approvals.has(id);
  return {
    calls,
    asks,
    answers,
    open: asks.filter(isCall),
    results: answers.filter(isCall),
    bound: [...new Set(present(parts.map((part) => part.bound)))],
    nature: natureOf(parts, offers, isAi),
    pending: parts.flatMap((part) => part.pending ?? none),
  };
}

/** True for a part that ties nothing. */
function isAlone({ kind, bound, nature }: Part): boolean {
  return (
    (kind === "text" || kind === "media" || kind === "marker") && bound === undefined && nature === undefined
  );
}

/** The calls that are listed, and those among the parts that are not. */
function withParts(listed: readonly Call[], parts: readonly Part[]): readonly Call[] {
  const inParts = parts.flatMap((part) => part.call ?? none);
  if (listed.length === 0) return inParts;
  return [
    ...listed,
    ...inParts.filter(({ id }) => id !== undefined && !listed.some((call) => call.id === id)),
  ];
}

function answersOf(parts: readonly Part[], role: MessageRole, answer: string | undefined): readonly string[] {
  if (answer !== undefined) return [answer];
  return role === "ai" || role === "tool" || role === "human"
    ? present(parts.map((part) => part.answers))
    : none;
}

function natureOf(parts: readonly Part[], offers: readonly string[], isAi: boolean): Nature {
  const nature: Nature = Object.assign({}, ...parts.map((part) => part.nature));
  if (!isAi) return nature.pinned ? { pinned: true } : noLinks.nature;
  const tools = parts.flatMap(({ tool, asks }): [string, string][] => (tool && asks ? [[asks, tool]] : []));
  return {
    ...nature,
    ...(offers.length > 0 ? { offers } : {}),
    ...(tools.length > 0 ? { names: new Map(tools) } : {}),
  };
}

function present(ids: readonly (string | undefined)[]): readonly string[] {
  return ids.filter((id) => id !== undefined);
}
