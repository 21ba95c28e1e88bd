import type { RememberFn } from "../../delivery/index.ts";
import { KeepsakeError } from "../../errors/index.ts";
import type { Namespace, Store } from "../../store/index.ts";
import { canonicalJson, didYouMean } from "../../util/index.ts";
import { currentEpoch, forgottenSince } from "../engine/marks.ts";
import { hookNamespace } from "../hook-namespace.ts";
import { placeTurns, type StoredTurn, weave } from "./conversation.ts";
import { serially } from "./serially.ts";
import { timestampIn } from "./timestamp.ts";
import { type TurnDraft, turnDraft } from "./turn-draft.ts";
import { type TurnLog, turnLog } from "./turn-log.ts";

/** How {@link rememberVerbatim} keeps turns. */
export interface VerbatimOptions<M = unknown> {
  /** Which fields of the turns to index, instead of those of the store; `false`: kept, but not found by a query. */
  readonly index?: false | string[];
  /**
   * When a message was made: a `Date`, a date string, or milliseconds or seconds since 1970. Default: `timestamp`, `createdAt` or
   * `created_at` of the message, of its `metadata` or of its `additional_kwargs`. A turn without a time has no date to be found by.
   */
  readonly timestampOf?: (message: M) => Date | number | string | undefined;
  /** Turns further apart than this, in milliseconds, are not each other's surroundings. Default 6 hours. */
  readonly sessionGapMs?: number;
}

const sixHoursMs = 6 * 60 * 60 * 1000;
const optionNames: readonly string[] = ["index", "timestampOf", "sessionGapMs"];

/**
 * A hook that keeps every message as it was said, one item each, without a model. Give the store the `turnIndex` fields, so that a turn is
 * found by its surroundings too.
 *
 * A message delivered again overwrites its item and keeps its position. Deliveries to one namespace wait for each other within a process. What
 * is erased by {@link MemoryEngine.erase} while a delivery is under way does not come back with it.
 *
 * @throws {KeepsakeError} `invalid_config` at construction for an option that cannot work; `invalid_namespace` from the hook where the
 * namespace is neither a list of one or more strings nor a path, such as `"/memories/asha"`.
 *
 * @example
 * ```ts
 * const store = new SqliteStore("memory.db", { index: turnIndex });
 * const reducer = new MessageReducer({ onPrune: [rememberVerbatim(store)] });
 * ```
 */
export function rememberVerbatim<M = unknown>(store: Store, options: VerbatimOptions<M> = {}): RememberFn<M> {
  checkOptions(options);
  const { index, timestampOf = timestampIn, sessionGapMs = sixHoursMs } = options;
  return async (messages, given, { deliveryId, threadId, signal }) => {
    const namespace = hookNamespace(given);
    checkNamespace(namespace);
    const drafts = messages.map((message, place) =>
      turnDraft(message, timestampOf(message), { threadId, deliveryId, index: place }),
    );
    if (drafts.length === 0) return;
    // As of now, and awaited in its turn: deliveries stand in line in the order of the calls.
    const begun = currentEpoch(store, namespace);
    begun.catch(() => undefined);
    await serially(store, JSON.stringify(namespace), async () => {
      const epoch = await begun;
      signal.throwIfAborted();
      const log = turnLog(store, namespace, threadId);
      const written = await remember(log, drafts, { index, sessionGapMs });
      if ((await forgottenSince(store, namespace, epoch, [])).erased) await log.takeBack(written);
    });
  };
}

interface Settings {
  readonly index: false | string[] | undefined;
  readonly sessionGapMs: number;
}

/** Gives the turns that it has written. */
async function remember(
  log: TurnLog,
  drafts: readonly TurnDraft[],
  settings: Settings,
): Promise<StoredTurn[]> {
  const keys = [...new Set(drafts.map(({ key }) => key))];
  const known = await log.find(keys);
  const newKeys = keys.filter((key) => !known.has(key));
  const { first, last: lastKeys } = newKeys.length > 0 ? await log.claim(newKeys) : { first: 0, last: [] };
  const { fresh, again } = placeTurns(drafts, known, first);

  const stored = new Map([...known, ...(await log.find(lastKeys))]);
  const current = new Map([...stored, ...again.map((turn) => [turn.key, turn] as const)]);
  const last = lastKeys.flatMap((key) => current.get(key) ?? []);
  for (const turn of weave(last, fresh, settings.sessionGapMs)) current.set(turn.key, turn);

  const changed = [...current.values()].filter((turn) => isChanged(turn, stored.get(turn.key)));
  if (changed.length > 0) await log.write(changed, settings.index);
  return changed;
}

function isChanged(turn: StoredTurn, stored: StoredTurn | undefined): boolean {
  return stored === undefined || canonicalJson(turn.value) !== canonicalJson(stored.value);
}

function checkNamespace(namespace: unknown): asserts namespace is Namespace {
  const valid =
    Array.isArray(namespace) && namespace.length > 0 && namespace.every((label) => typeof label === "string");
  if (valid) return;
  throw new KeepsakeError(
    "invalid_namespace",
    `rememberVerbatim needs a namespace, a list of one or more strings such as ["memories", userId] or a path, but got ${shown(namespace)}. Pass \`namespace\` to reduce() and handOver().`,
    { data: { namespace } },
  );
}

function shown(value: unknown): string {
  return value === undefined ? "undefined" : (JSON.stringify(value) ?? typeof value);
}

function checkOptions(options: VerbatimOptions<never>): void {
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name)) continue;
    const meant = didYouMean(name, optionNames);
    refuse(`it has no option "${name}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`, name);
  }
  const { index, timestampOf, sessionGapMs = 0 } = options;
  if (index !== undefined && index !== false && !Array.isArray(index))
    refuse("`index` must be false or a list of fields", index);
  if (timestampOf !== undefined && typeof timestampOf !== "function")
    refuse("`timestampOf` must be a function", timestampOf);
  if (typeof sessionGapMs !== "number" || !(sessionGapMs >= 0))
    refuse("`sessionGapMs` must be a number of milliseconds, 0 or more", sessionGapMs);
}

function refuse(reason: string, value: unknown): never {
  throw new KeepsakeError("invalid_config", `rememberVerbatim: ${reason}.`, { data: { value } });
}
