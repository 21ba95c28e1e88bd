import type { Item, Namespace, Store } from "../../store/index.ts";
import { hash128, isRecord } from "../../util/index.ts";
import type { MemoryRecord } from "../types.ts";
import { keptMs, spaceOf } from "./spaces.ts";

/**
 * How often a namespace and each that it lies in have forgotten something: what a save saw before it began. Numbers, not times, decide what
 * was begun before: clocks of two machines differ.
 */
export type Epoch = readonly number[];

/** What is forgotten of a namespace, beside single keys. */
export interface ForgetRule {
  readonly categories?: readonly string[];
  /** ISO 8601. */
  readonly olderThan?: string;
}

interface Log {
  readonly epoch: number;
  /** The epoch in which everything was erased. */
  readonly erased: number;
  readonly rules: readonly (ForgetRule & { readonly epoch: number })[];
}

const logKey = "log";
const emptyLog: Log = { epoch: 0, erased: 0, rules: [] };
/** More are not kept: a save that a hundred forgettings have overtaken is not under way any more. */
const maxRules = 100;

/** The epoch that a save begins in. */
export async function currentEpoch(store: Store, namespace: Namespace): Promise<Epoch> {
  return (await logsOf(store, namespace)).map(({ epoch }) => epoch);
}

/** Notes that something is about to be forgotten, so that saves under way do not bring it back. */
export async function markForgotten(
  store: Store,
  namespace: Namespace,
  what: { readonly key: string } | ForgetRule,
  now: number,
): Promise<void> {
  const rule = "key" in what ? undefined : what;
  const epoch = await moveOn(store, namespace, now, (log, next) => ({
    ...log,
    epoch: next,
    rules: rule === undefined ? log.rules : [...log.rules, { ...rule, epoch: next }].slice(-maxRules),
  }));
  if (!("key" in what)) return;
  await store.put(spaceOf("tombstones", namespace), markKey(what.key), { epoch }, false, { ttlMs: keptMs });
}

/** Notes that everything of a namespace, and below it, is about to be erased. Nothing else is left in the note. Gives its epoch. */
export async function markErased(store: Store, namespace: Namespace, now: number): Promise<number> {
  return moveOn(store, namespace, now, (_log, epoch) => ({ epoch, erased: epoch, rules: [] }));
}

/** Which of some memories were forgotten since an epoch. */
export async function forgottenSince(
  store: Store,
  namespace: Namespace,
  since: Epoch,
  records: readonly Pick<MemoryRecord, "key" | "categories" | "createdAt">[],
): Promise<{ readonly erased: boolean; readonly keys: ReadonlySet<string> }> {
  const logs = await logsOf(store, namespace);
  if (logs.some(({ erased }, depth) => erased > (since[depth] ?? 0)))
    return { erased: true, keys: new Set() };
  const own = logs.at(-1) ?? emptyLog;
  const begun = since.at(-1) ?? 0;
  if (own.epoch <= begun || records.length === 0) return { erased: false, keys: new Set() };
  const rules = own.rules.filter(({ epoch }) => epoch > begun);
  const marks: (Item | null)[] = await store.batch(
    records.map(({ key }) => ({ namespace: spaceOf("tombstones", namespace), key: markKey(key) })),
  );
  const forgotten = records.filter(
    (record, index) => epochIn(marks[index]?.value) > begun || rules.some((rule) => fulfils(record, rule)),
  );
  return { erased: false, keys: new Set(forgotten.map(({ key }) => key)) };
}

/** True for what a rule forgets. */
export function fulfils(
  { categories, createdAt }: Pick<MemoryRecord, "categories" | "createdAt">,
  rule: ForgetRule,
): boolean {
  const isNamed = rule.categories === undefined || rule.categories.some((name) => categories.includes(name));
  return isNamed && (rule.olderThan === undefined || createdAt.getTime() < Date.parse(rule.olderThan));
}

/** The log of a namespace, and of each that it lies in, the outermost first. */
async function logsOf(store: Store, namespace: Namespace): Promise<Log[]> {
  const items: (Item | null)[] = await store.batch(
    namespace.map((_, index) => ({
      namespace: spaceOf("tombstones", namespace.slice(0, index + 1)),
      key: logKey,
    })),
  );
  return items.map((item) => logIn(item?.value));
}

/** An epoch is at least the time in milliseconds, so that it goes on rising where a log has expired. */
async function moveOn(
  store: Store,
  namespace: Namespace,
  now: number,
  change: (log: Log, epoch: number) => Log,
): Promise<number> {
  for (;;) {
    const item = await store.get(spaceOf("tombstones", namespace), logKey);
    const log = logIn(item?.value);
    const epoch = Math.max(log.epoch + 1, Math.floor(now));
    const version = await store.compareAndSet(
      spaceOf("tombstones", namespace),
      logKey,
      item?.version ?? null,
      { ...change(log, epoch) },
      { index: false, ttlMs: keptMs },
    );
    if (version !== null) return epoch;
  }
}

function logIn(value: unknown): Log {
  if (!isRecord(value)) return emptyLog;
  const { epoch, erased, rules } = value;
  return {
    epoch: typeof epoch === "number" ? epoch : 0,
    erased: typeof erased === "number" ? erased : 0,
    rules: Array.isArray(rules) ? rules.flatMap(ruleIn) : [],
  };
}

function ruleIn(value: unknown): (ForgetRule & { epoch: number })[] {
  if (!isRecord(value) || typeof value.epoch !== "number") return [];
  const { epoch, categories, olderThan } = value;
  return [
    {
      epoch,
      ...(Array.isArray(categories) ? { categories: categories.map(String) } : {}),
      ...(typeof olderThan === "string" ? { olderThan } : {}),
    },
  ];
}

function epochIn(value: unknown): number {
  return isRecord(value) && typeof value.epoch === "number" ? value.epoch : 0;
}

function markKey(key: string): string {
  return `key ${hash128(key)}`;
}
