import type {
  DeadLetter,
  DeliveryQuery,
  DeliveryRecord,
  ErasedNamespaces,
  LeasedDelivery,
  OutboxStats,
  Retry,
} from "../../delivery/index.ts";
import type { Json } from "../../util/index.ts";
import { all, first, integer, type Program, type Row, run, text } from "./sqlite-program.ts";

/** A delivery as it is written. */
export interface DeliveryRow {
  readonly id: string;
  readonly hook: string;
  readonly namespace: string;
  readonly thread: string | null;
  readonly messages: readonly { readonly claim: Uint8Array | undefined; readonly body: Json }[];
}

/** So many deliveries whose time is over are removed with each one that is completed. */
const purgedAtOnce = 4;

/** The state of each delivery in the rows. */
const state = { pending: 0, leased: 1, retrying: 2, dead: 3, done: 4 } as const;
const stateNames = ["pending", "leased", "retrying", "dead", "done"] as const;

/** Claims what is new and stores it at the end of its lane; false where nothing is. */
export function* enqueue(delivery: DeliveryRow, now: number): Program<boolean> {
  const { id, hook, namespace, thread } = delivery;
  const known = yield* first("SELECT 1 AS found FROM keepsake_outbox_deliveries WHERE id = ?", id);
  if (known !== undefined || delivery.messages.length === 0) return false;
  const lane = yield* laneOf(hook, namespace);
  const bodies: Json[] = [];
  let claimed = 0;
  for (const { claim, body } of delivery.messages) {
    if (claim !== undefined) {
      const fresh = yield* all(
        "INSERT OR IGNORE INTO keepsake_outbox_claims (lane, claim) VALUES (?, ?) RETURNING 1 AS fresh",
        ...[lane, claim],
      );
      if (fresh.length === 0) continue;
      claimed += 1;
    }
    bodies.push(body);
  }
  if (bodies.length === 0) return false;
  const stored = yield* first(
    "INSERT INTO keepsake_outbox_deliveries (id, lane, thread, created_at) VALUES (?, ?, ?, ?) RETURNING seq",
    ...[id, lane, thread, now],
  );
  const seq = integer(stored, "seq");
  yield* run("INSERT INTO keepsake_outbox_bodies (seq, bodies) VALUES (?, ?)", seq, JSON.stringify(bodies));
  yield* run(
    "UPDATE keepsake_outbox_lanes SET claimed = claimed + ?, head = coalesce(head, ?), due_at = coalesce(due_at, 0) WHERE id = ?",
    ...[claimed, seq, lane],
  );
  return true;
}

function* laneOf(hook: string, namespace: string): Program<number> {
  const known = yield* first(
    "SELECT id FROM keepsake_outbox_lanes WHERE hook = ? AND namespace = ?",
    ...[hook, namespace],
  );
  const lane =
    known ??
    (yield* first(
      "INSERT INTO keepsake_outbox_lanes (hook, namespace) VALUES (?, ?) RETURNING id",
      ...[hook, namespace],
    ));
  return integer(lane, "id");
}

/** Whether something may be leased now. */
export function* isDue(hook: string, now: number): Program<boolean> {
  const row = yield* first(
    "SELECT 1 AS due FROM keepsake_outbox_lanes WHERE hook = ? AND due_at <= ? LIMIT 1",
    ...[hook, now],
  );
  return row !== undefined;
}

/** What {@link lease} is asked for. */
export interface LeasePlan {
  readonly hook: string;
  readonly limit: number;
  readonly until: number;
  readonly now: number;
  readonly tokenFor: (seq: number) => string;
}

/** Leases the oldest heads that are due. */
export function* lease({ hook, limit, until, now, tokenFor }: LeasePlan): Program<LeasedDelivery[]> {
  // What has become due is due at once from now on: then the index has all that is due in the order of the heads. A head whose lease is over
  // gives way to a dead letter that was retried meanwhile.
  yield* run(
    `UPDATE keepsake_outbox_lanes SET due_at = 0, head = (
       SELECT min(seq) FROM keepsake_outbox_deliveries d WHERE d.lane = keepsake_outbox_lanes.id AND d.state < 3
     ) WHERE hook = ? AND due_at > 0 AND due_at <= ?`,
    ...[hook, now],
  );
  const rows = yield* all(
    `SELECT l.id AS lane, l.namespace, d.seq, d.id, d.thread, d.attempts, b.bodies
     FROM keepsake_outbox_lanes l
     JOIN keepsake_outbox_deliveries d ON d.seq = l.head
     JOIN keepsake_outbox_bodies b ON b.seq = l.head
     WHERE l.hook = ? AND l.due_at = 0 ORDER BY l.head LIMIT ?`,
    ...[hook, limit],
  );
  const leased: LeasedDelivery[] = [];
  for (const row of rows) {
    const seq = integer(row, "seq");
    const token = tokenFor(seq);
    yield* run(
      `UPDATE keepsake_outbox_deliveries SET state = ${state.leased}, attempts = attempts + 1, retry_at = 0, token = ? WHERE seq = ?`,
      ...[token, seq],
    );
    yield* run("UPDATE keepsake_outbox_lanes SET due_at = ? WHERE id = ?", until, integer(row, "lane"));
    const attempt = integer(row, "attempts") + 1;
    leased.push({ ...described(row, hook), bodies: bodiesOf(row), attempt, token });
  }
  return leased;
}

/** Condition on a delivery `d`: its token is this one, of a lease that is not over. */
const underLease = `d.seq = ? AND d.token = ? AND d.state = ${state.leased} AND EXISTS (
  SELECT 1 FROM keepsake_outbox_lanes l WHERE l.id = d.lane AND l.head = d.seq AND l.due_at > ?)`;

/** Makes a lease end at another time. */
export function* renew(
  seq: number,
  token: string,
  { until, now }: { readonly until: number; readonly now: number },
): Program<boolean> {
  const found = yield* first(
    `UPDATE keepsake_outbox_lanes SET due_at = ? WHERE id = (SELECT d.lane FROM keepsake_outbox_deliveries d WHERE ${underLease})
     RETURNING id`,
    ...[until, seq, token, now],
  );
  return found !== undefined;
}

/** Notes that a delivery is done, and lets the next of its lane be leased. The hook, or `undefined` where the lease is over. */
export function* complete(
  seq: number,
  token: string,
  { now, retainMs }: { readonly now: number; readonly retainMs: number },
): Program<string | undefined> {
  const found = yield* first(
    `UPDATE keepsake_outbox_deliveries AS d SET state = ${state.done}, token = NULL, error = NULL, finished_at = ? WHERE ${underLease} RETURNING lane`,
    ...[now, seq, token, now],
  );
  if (found === undefined) return undefined;
  const hook = yield* advance(integer(found, "lane"));
  yield* purge(now - retainMs, purgedAtOnce);
  return hook;
}

/** Notes that a delivery has failed. The hook, or `undefined` where the lease is over. */
export function* fail(
  seq: number,
  token: string,
  { error, retry, now }: { readonly error: string; readonly retry: Retry; readonly now: number },
): Program<string | undefined> {
  const isDead = retry === "dead";
  const retryAt = retry === "dead" ? 0 : retry instanceof Date ? retry.getTime() : now + retry.afterMs;
  const found = yield* first(
    `UPDATE keepsake_outbox_deliveries AS d SET state = ?, token = NULL, error = ?, retry_at = ?, finished_at = ? WHERE ${underLease} RETURNING lane`,
    ...[isDead ? state.dead : state.retrying, error, retryAt, isDead ? now : null, seq, token, now],
  );
  return found === undefined ? undefined : yield* advance(integer(found, "lane"));
}

/** Makes the oldest unfinished delivery the head of its lane. Not while one of the lane is under a lease. */
function* advance(lane: number): Program<string> {
  const next = yield* first(
    "SELECT seq, retry_at FROM keepsake_outbox_deliveries WHERE lane = ? AND state < 3 ORDER BY seq LIMIT 1",
    lane,
  );
  const row = yield* first(
    "UPDATE keepsake_outbox_lanes SET head = ?, due_at = ? WHERE id = ? RETURNING hook",
    ...[
      next === undefined ? null : integer(next, "seq"),
      next === undefined ? null : integer(next, "retry_at"),
      lane,
    ],
  );
  return text(row, "hook");
}

/** True where the head of the lane is under a lease that is not over. */
function* isHeld(lane: number, now: number): Program<boolean> {
  const row = yield* first(
    `SELECT 1 AS held FROM keepsake_outbox_lanes l JOIN keepsake_outbox_deliveries d ON d.seq = l.head
     WHERE l.id = ? AND d.state = ${state.leased} AND l.due_at > ?`,
    ...[lane, now],
  );
  return row !== undefined;
}

/** Makes a dead letter pending, and what backs off due. The hook, or `undefined` for any other. */
export function* retry(id: string, now: number): Program<string | undefined> {
  const found = yield* first(
    `UPDATE keepsake_outbox_deliveries SET retry_at = 0, finished_at = NULL,
       attempts = CASE state WHEN ${state.dead} THEN 0 ELSE attempts END,
       error = CASE state WHEN ${state.dead} THEN NULL ELSE error END,
       state = CASE state WHEN ${state.dead} THEN ${state.pending} ELSE state END
     WHERE id = ? AND state IN (${state.retrying}, ${state.dead}) RETURNING lane`,
    id,
  );
  if (found === undefined) return undefined;
  const lane = integer(found, "lane");
  return (yield* isHeld(lane, now)) ? "" : yield* advance(lane);
}

/** Removes what is neither done nor under a lease. The hook, or `undefined` for any other. */
export function* discard(id: string, now: number): Program<string | undefined> {
  const found = yield* first(
    "SELECT d.seq, d.lane, d.state, l.head FROM keepsake_outbox_deliveries d JOIN keepsake_outbox_lanes l ON l.id = d.lane WHERE d.id = ?",
    id,
  );
  if (found === undefined || integer(found, "state") === state.done) return undefined;
  const seq = integer(found, "seq");
  const lane = integer(found, "lane");
  const isBusy = yield* isHeld(lane, now);
  if (isBusy && integer(found, "head") === seq) return undefined;
  yield* run("DELETE FROM keepsake_outbox_deliveries WHERE seq = ?", seq);
  yield* run("DELETE FROM keepsake_outbox_bodies WHERE seq = ?", seq);
  return isBusy ? "" : yield* advance(lane);
}

/** Removes lanes with all that belongs to them. */
export function* erase({ text: namespace, prefix }: ErasedNamespaces): Program<number> {
  // All texts that begin with the prefix, which ends in a comma, lie between it and the same with a hyphen, the next character.
  const [from, to] = prefix === undefined ? ["", ""] : [prefix, `${prefix.slice(0, -1)}-`];
  const lanes = yield* all(
    "SELECT id FROM keepsake_outbox_lanes WHERE namespace = ? OR (namespace >= ? AND namespace < ?)",
    ...[namespace, from, to],
  );
  let removed = 0;
  for (const row of lanes) {
    const lane = integer(row, "id");
    yield* run(
      "DELETE FROM keepsake_outbox_bodies WHERE seq IN (SELECT seq FROM keepsake_outbox_deliveries WHERE lane = ?)",
      lane,
    );
    const gone = yield* all(
      "DELETE FROM keepsake_outbox_deliveries WHERE lane = ? RETURNING 1 AS gone",
      lane,
    );
    removed += gone.length;
    yield* run("DELETE FROM keepsake_outbox_claims WHERE lane = ?", lane);
    yield* run("DELETE FROM keepsake_outbox_lanes WHERE id = ?", lane);
  }
  return removed;
}

/** Removes up to so many deliveries that were done at a time or before. */
function* purge(doneUntil: number, limit: number): Program<void> {
  const rows = yield* all(
    `SELECT seq FROM keepsake_outbox_deliveries WHERE state = ${state.done} AND finished_at <= ? ORDER BY finished_at LIMIT ?`,
    ...[doneUntil, limit],
  );
  for (const row of rows) {
    yield* run("DELETE FROM keepsake_outbox_deliveries WHERE seq = ?", integer(row, "seq"));
    yield* run("DELETE FROM keepsake_outbox_bodies WHERE seq = ?", integer(row, "seq"));
  }
}

/** A page of dead letters. */
export function* deadLetters(
  hook: string | undefined,
  limit: number,
  after: string | undefined,
): Program<DeadLetter[]> {
  const rows = yield* all(
    `SELECT l.hook, l.namespace, d.id, d.thread, d.attempts, d.error, b.bodies
     FROM keepsake_outbox_deliveries d
     JOIN keepsake_outbox_lanes l ON l.id = d.lane
     JOIN keepsake_outbox_bodies b ON b.seq = d.seq
     WHERE d.state = ${state.dead} AND d.seq > coalesce((SELECT seq FROM keepsake_outbox_deliveries WHERE id = ?), 0)
       AND l.hook = coalesce(?, l.hook) ORDER BY d.seq LIMIT ?`,
    ...[after ?? null, hook ?? null, limit],
  );
  return rows.map((row) => ({
    ...described(row, text(row, "hook")),
    attempts: integer(row, "attempts"),
    error: String(JSON.parse(text(row, "error"))),
    bodies: bodiesOf(row),
  }));
}

/** Deliveries in any state. */
export function* deliveries(query: DeliveryQuery, now: number): Program<DeliveryRecord[]> {
  const { hook = null, state: wanted, deliveryId = null, limit = 100, after = null } = query;
  const rows = yield* all(
    `SELECT * FROM (
       SELECT l.hook, l.namespace, d.seq, d.id, d.thread, d.attempts, d.error, d.created_at,
         CASE WHEN d.state = ${state.leased} AND NOT (l.head = d.seq AND l.due_at > ?) THEN ${state.pending} ELSE d.state END AS state
       FROM keepsake_outbox_deliveries d JOIN keepsake_outbox_lanes l ON l.id = d.lane
       WHERE l.hook = coalesce(?, l.hook) AND d.id = coalesce(?, d.id)
         AND d.seq > coalesce((SELECT seq FROM keepsake_outbox_deliveries WHERE id = ?), 0)
     ) found JOIN keepsake_outbox_bodies b ON b.seq = found.seq
     WHERE found.state = coalesce(?, found.state) ORDER BY found.seq LIMIT ?`,
    ...[now, hook, deliveryId, after, wanted === undefined ? null : state[wanted], limit],
  );
  return rows.map((row) => ({
    ...described(row, text(row, "hook")),
    state: stateNames[integer(row, "state")] ?? "pending",
    attempts: integer(row, "attempts"),
    error: typeof row.error === "string" ? String(JSON.parse(row.error)) : undefined,
    enqueuedAt: new Date(integer(row, "created_at")),
    bodies: bodiesOf(row),
  }));
}

/** Counts of one hook, or of all. */
export function* stats(hook: string | undefined, { now, doneAfter }: StatsTimes): Program<OutboxStats> {
  const heads = yield* first(
    `SELECT count(*) FILTER (WHERE d.state = ${state.leased} AND l.due_at > ?) AS leased,
       (SELECT coalesce(sum(claimed), 0) FROM keepsake_outbox_lanes WHERE hook = coalesce(?, hook)) AS claimed
     FROM keepsake_outbox_lanes l JOIN keepsake_outbox_deliveries d ON d.seq = l.head
     WHERE l.due_at IS NOT NULL AND l.hook = coalesce(?, l.hook)`,
    ...[now, hook ?? null, hook ?? null],
  );
  const counted = yield* first(
    `SELECT count(*) FILTER (WHERE d.state < ${state.dead}) AS unfinished,
       count(*) FILTER (WHERE d.state = ${state.retrying}) AS retrying,
       count(*) FILTER (WHERE d.state = ${state.dead}) AS dead,
       count(*) FILTER (WHERE d.state = ${state.done} AND d.finished_at > ?) AS done
     FROM keepsake_outbox_deliveries d JOIN keepsake_outbox_lanes l ON l.id = d.lane WHERE l.hook = coalesce(?, l.hook)`,
    ...[doneAfter, hook ?? null],
  );
  const leased = integer(heads, "leased");
  const retrying = integer(counted, "retrying");
  return {
    pending: integer(counted, "unfinished") - leased - retrying,
    leased,
    retrying,
    dead: integer(counted, "dead"),
    done: integer(counted, "done"),
    claimed: integer(heads, "claimed"),
  };
}

interface StatsTimes {
  readonly now: number;
  readonly doneAfter: number;
}

function described(
  row: Row,
  hook: string,
): Pick<DeadLetter, "deliveryId" | "hook" | "namespace" | "threadId"> {
  const { thread } = row;
  return {
    deliveryId: text(row, "id"),
    hook,
    namespace: JSON.parse(text(row, "namespace")),
    threadId: typeof thread === "string" ? String(JSON.parse(thread)) : undefined,
  };
}

function bodiesOf(row: Row): Json[] {
  return JSON.parse(text(row, "bodies"));
}
