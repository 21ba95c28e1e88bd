/** What a provider refuses in a window. */
export type WindowRule =
  | "approval-without-request"
  | "duplicate-call"
  | "duplicate-item"
  | "empty-message"
  | "first-not-user"
  | "missing-result"
  | "orphan-result"
  | "reasoning-alone"
  | "result-after-text"
  | "roles-alternate"
  | "system-in-the-middle"
  | "unreadable-message";

/** For each rule: what is wrong with a message that breaks it, `$` being the value in question, and what to do. */
export const ruleTexts: Readonly<Record<WindowRule, readonly [problem: string, fix: string]>> = {
  "approval-without-request": ['answers "$", which nothing asks for', "Remove it."],
  "duplicate-call": ['calls "$" again', "Give each call an id of its own, or remove one with its results."],
  "duplicate-item": ['has the id "$" of an item before it', "Remove it."],
  "empty-message": ["has neither text, media nor a call", "Remove it."],
  "first-not-user": ["comes first, and is not the user's", "Begin with a user message."],
  "missing-result": ['asks for "$", which nothing answers', "Add what is missing, or remove the whole turn."],
  "orphan-result": ['answers "$", which the turn before it does not call', "Remove it."],
  "reasoning-alone": ["is reasoning, and what it led to does not follow", "Remove it."],
  "result-after-text": ["has text before a result", "Put its results first."],
  "roles-alternate": ["has the role of the message before it", "Make one message of the two."],
  "system-in-the-middle": ["is a system message behind others", "Put it first."],
  "unreadable-message": ["is no message", "Remove it."],
};

const opening: readonly WindowRule[] = ["first-not-user", "system-in-the-middle"];

type RulesOf<Provider extends string> = Readonly<Record<Provider, readonly WindowRule[]>>;

/** The rules that only some providers have; all others hold everywhere. */
export const ownRules: RulesOf<
  "any" | "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "bedrock"
> = {
  any: [...opening, "duplicate-call"],
  "openai-chat": [],
  "openai-responses": ["duplicate-item"],
  anthropic: [...opening, "duplicate-call", "result-after-text"],
  gemini: opening,
  bedrock: [...opening, "duplicate-call", "roles-alternate"],
};

/** Rules that do not hold everywhere. */
export const specialRules: ReadonlySet<WindowRule> = new Set(Object.values(ownRules).flat());
