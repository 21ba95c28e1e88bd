import { KeepsakeError } from "../../errors/index.ts";
import { hidesReserved, type Namespace, type Store } from "../../store/index.ts";
import { checkOptions, isBoolean, isCount, isRecord, type OptionKind } from "../../util/index.ts";
import { memoryRecord } from "../record.ts";
import { datesIn } from "./dates-in.ts";
import { findMemories } from "./find.ts";
import { compareMatches, placeOf, scoreMemory, similarityOf } from "./score.ts";
import { touchMemories } from "./touch.ts";
import type { RecallMatch, RecallOptions, RecallSettings } from "./types.ts";

const isText: OptionKind = ["a string", (value) => typeof value === "string"];
const isTexts: OptionKind = [
  "a list of strings",
  (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
];
const isShare: OptionKind = [
  "a number from 0 to 1",
  (value) => typeof value === "number" && value >= 0 && value <= 1,
];
const isSignal: OptionKind = [
  "an AbortSignal",
  (value) => isRecord(value) && typeof value.aborted === "boolean",
];
const isFilter: OptionKind = ["an object of conditions by field", isRecord];

/** What the options of a recall may be. */
export const recallOptionKinds: Readonly<Record<keyof RecallOptions, OptionKind>> = {
  limit: isCount(0),
  categories: isTexts,
  minScore: isShare,
  source: isText,
  includePrivate: isBoolean,
  filter: isFilter,
  touch: isBoolean,
  signal: isSignal,
};

/**
 * The memories of a namespace, and of those below it, that answer a query best: found by the store, then ranked by similarity, newness and
 * importance. A query that names a time prefers memories of that time. An empty query recalls nothing.
 *
 * @throws {KeepsakeError} `invalid_config` for options that cannot work; `invalid_namespace` for the empty namespace; what the store throws
 */
export async function recall(
  store: Store,
  settings: RecallSettings,
  query: string,
  namespace: Namespace,
  options: RecallOptions = {},
): Promise<RecallMatch[]> {
  checkOptions("recall", options, recallOptionKinds);
  checkQuery(query);
  checkNamespace(namespace);
  const { limit = 10, minScore = 0, touch = settings.touchOnRecall } = options;
  if (query.trim() === "" || limit === 0) return [];
  const times = datesIn(query, settings.now());
  const breadth = Math.ceil(limit * settings.recallOversample);
  const items = await findMemories(store, { query, namespace, options, limit, breadth, times });
  const matches = items
    .map((item) =>
      scoreMemory(memoryRecord(item, settings), similarityOf(item.signals ?? {}), times, settings),
    )
    .filter(({ score }) => score >= minScore)
    .sort(compareMatches)
    .slice(0, limit);
  if (touch) {
    const chosen = new Set(matches.map(({ record }) => placeOf(record)));
    await touchMemories(
      store,
      items.filter((item) => chosen.has(placeOf(item))),
      settings,
    );
  }
  return matches;
}

function checkQuery(query: unknown): void {
  if (typeof query === "string") return;
  throw new KeepsakeError("invalid_input", `recall: the query is a string, not of type ${typeof query}.`, {
    data: { query },
  });
}

/** The empty namespace would be everyone's, one under the reserved root is what keepsake keeps for itself. */
function checkNamespace(namespace: unknown): asserts namespace is Namespace {
  const isList = Array.isArray(namespace) && namespace.every((label) => typeof label === "string");
  if (isList && namespace.length > 0 && hidesReserved(namespace)) return;
  throw new KeepsakeError(
    "invalid_namespace",
    `recall needs a namespace, a list of one or more strings such as ["memories", userId], but got ${JSON.stringify(namespace)}.`,
    { data: { namespace } },
  );
}
