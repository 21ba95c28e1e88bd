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
import { outboxTablesIn } from "./postgres-outbox-schema.ts";
import { integer, type Row, type Transaction, text } from "./postgres-transaction.ts";

/** A delivery as it is written. */
export interface DeliveryRow {
  readonly id: string;
  readonly hook: string;
  readonly namespace: string;
  readonly namespaceHash: string;
  readonly thread: string | null;
  /** `claim`: 32 hex digits. */
  readonly messages: readonly { readonly claim: string | undefined; readonly body: Json }[];
}

/** What became of an enqueue. `due`: the delivery may be leased at once, so someone is to be woken. */
export type Enqueued = "none" | "waiting" | "due";

/** A delivery of the same id was committed meanwhile: all of this one is to be undone. */
export const repeated: Error = new Error("The delivery is there already.");

/** So many deliveries whose time is over are removed with each one that is completed. */
const purgedAtOnce = 4;

/** Milliseconds by the database's clock: the workers of several hosts have no other that they share. */
const now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** The state of each delivery in the rows. */
const state = { pending: 0, leased: 1, retrying: 2, dead: 3, done: 4 } as const;
const stateNames = ["pending", "leased", "retrying", "dead", "done"] as const;

/** Claims what is new and stores it at the end of its lane. */
export async function enqueue(tx: Transaction, delivery: DeliveryRow): Promise<Enqueued> {
  const { deliveries, bodies, lanes } = outboxTablesIn(tx.tables.schema);
  const { id, thread } = delivery;
  if (delivery.messages.length === 0) return "none";
  const known = await tx.first(`SELECT 1 AS found FROM ${deliveries} WHERE id = $1`, id);
  if (known !== undefined) return "none";
  const lane = await lockLane(tx, delivery);
  const { fresh, claimed } = await claim(tx, lane, delivery);
  if (fresh.length === 0) return "none";
  const stored = await tx.first(
    `WITH stored AS (
       INSERT INTO ${deliveries} (id, lane, thread, created_at) VALUES ($1, $2, $3, ${now}) ON CONFLICT (id) DO NOTHING RETURNING seq
     ), kept AS (INSERT INTO ${bodies} (seq, bodies) SELECT seq, $4 FROM stored)
     UPDATE ${lanes} l SET claimed = claimed + $5, head = coalesce(l.head, s.seq), due_at = coalesce(l.due_at, 0)
     FROM stored s WHERE l.id = $2 RETURNING l.head = s.seq AS due`,
    ...[id, lane, thread, JSON.stringify(fresh), claimed],
  );
  if (stored === undefined) throw repeated;
  return stored.due === true ? "due" : "waiting";
}

/** The lane, locked until the end of the transaction; made where it is not there. */
async function lockLane(
  { first, tables }: Transaction,
  { hook, namespace, namespaceHash }: DeliveryRow,
): Promise<number> {
  const { lanes } = outboxTablesIn(tables.schema);
  const known = await first(
    `SELECT id FROM ${lanes} WHERE hook = $1 AND namespace_hash = $2 FOR UPDATE`,
    ...[hook, namespaceHash],
  );
  const lane =
    known ??
    (await first(
      `INSERT INTO ${lanes} AS l (hook, namespace, namespace_hash) VALUES ($1, $2, $3)
       ON CONFLICT (hook, namespace_hash) DO UPDATE SET claimed = l.claimed RETURNING id`,
      ...[hook, namespace, namespaceHash],
    ));
  return integer(lane, "id");
}

/** The bodies of what nobody has claimed before, in order. */
async function claim(
  { all, tables }: Transaction,
  lane: number,
  { messages }: DeliveryRow,
): Promise<{ fresh: Json[]; claimed: number }> {
  const claims = [...new Set(messages.flatMap((message) => message.claim ?? []))];
  const { claims: table } = outboxTablesIn(tables.schema);
  const rows =
    claims.length === 0
      ? []
      : await all(
          `INSERT INTO ${table} (lane, claim) SELECT $1, unnest($2::text[])::uuid ON CONFLICT DO NOTHING RETURNING replace(claim::text, '-', '') AS claim`,
          ...[lane, claims],
        );
  const unused = new Set(rows.map((row) => text(row, "claim")));
  const fresh = messages.filter((message) => message.claim === undefined || unused.delete(message.claim));
  return { fresh: fresh.map(({ body }) => body), claimed: rows.length };
}

/** Whether something may be leased now. */
export async function isDue({ first, tables }: Transaction, hook: string): Promise<boolean> {
  const { lanes } = outboxTablesIn(tables.schema);
  const found = await first(
    `SELECT 1 AS due FROM ${lanes} WHERE hook = $1 AND due_at <= ${now} LIMIT 1`,
    hook,
  );
  return found !== undefined;
}

/** Leases the oldest heads that are due and that nobody else is about to lease. */
export async function lease(
  { all, tables }: Transaction,
  hook: string,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): Promise<LeasedDelivery[]> {
  const { lanes, deliveries, bodies } = outboxTablesIn(tables.schema);
  const over = await all(
    `SELECT id FROM ${lanes} WHERE hook = $1 AND due_at > 0 AND due_at <= ${now} FOR UPDATE SKIP LOCKED`,
    hook,
  );
  if (over.length > 0) {
    // Due at once from now on: then the index has all that is due in the order of the heads. A head whose lease is over gives way to a dead
    // letter that was retried meanwhile.
    await all(
      `UPDATE ${lanes} l SET due_at = 0, head = (
         SELECT min(seq) FROM ${deliveries} d WHERE d.lane = l.id AND d.state < ${state.dead}
       ) WHERE id = ANY ($1::bigint[])`,
      over.map((row) => integer(row, "id")),
    );
  }
  const picked = await all(
    `SELECT id, head FROM ${lanes} WHERE hook = $1 AND due_at = 0 ORDER BY head LIMIT $2 FOR UPDATE SKIP LOCKED`,
    ...[hook, limit],
  );
  if (picked.length === 0) return [];
  // A statement of its own: a head may have been committed after the one before began.
  const rows = await all(
    `WITH leased AS (
       UPDATE ${deliveries} SET state = ${state.leased}, attempts = attempts + 1, retry_at = 0, token = seq || '-' || gen_random_uuid()
       WHERE seq = ANY ($1::bigint[]) RETURNING seq, id, lane, thread, attempts, token
     ), held AS (UPDATE ${lanes} SET due_at = ${now} + $2::bigint WHERE id = ANY ($3::bigint[]))
     SELECT leased.*, l.namespace, b.bodies FROM leased
     JOIN ${lanes} l ON l.id = leased.lane JOIN ${bodies} b ON b.seq = leased.seq ORDER BY leased.seq`,
    picked.map((row) => integer(row, "head")),
    leaseMs,
    picked.map((row) => integer(row, "id")),
  );
  return rows.map((row) => ({
    ...described(row, hook),
    bodies: bodiesOf(row),
    attempt: integer(row, "attempts"),
    token: text(row, "token"),
  }));
}

/** Makes a lease end at another time. */
export async function renew(
  { first, tables }: Transaction,
  token: string,
  leaseMs: number,
): Promise<boolean> {
  const { lanes, deliveries } = outboxTablesIn(tables.schema);
  const found = await first(
    `UPDATE ${lanes} l SET due_at = ${now} + $3::bigint FROM ${deliveries} d
     WHERE d.seq = $1 AND d.token = $2 AND d.state = ${state.leased} AND l.id = d.lane AND l.head = d.seq AND l.due_at > ${now}
     RETURNING l.id`,
    ...[seqOf(token), token, leaseMs],
  );
  return found !== undefined;
}

/** Notes that a delivery is done, and lets the next of its lane be leased. The hook, or `undefined` where the lease is over. */
export async function complete(
  tx: Transaction,
  token: string,
  retainMs: number,
): Promise<string | undefined> {
  const lane = await settle(tx, token, {
    change: `state = ${state.done}, error = NULL, finished_at = ${now}`,
  });
  if (lane === undefined) return undefined;
  const { deliveries, bodies } = outboxTablesIn(tx.tables.schema);
  await tx.all(
    `WITH gone AS (
       DELETE FROM ${deliveries} WHERE seq IN (
         SELECT seq FROM ${deliveries} WHERE state = ${state.done} AND finished_at <= ${now} - $1::bigint
         ORDER BY finished_at LIMIT ${purgedAtOnce} FOR UPDATE SKIP LOCKED) RETURNING seq
     ) DELETE FROM ${bodies} WHERE seq IN (SELECT seq FROM gone)`,
    retainMs,
  );
  return advance(tx, lane);
}

/** Notes that a delivery has failed. The hook, or `undefined` where the lease is over. */
export async function fail(
  tx: Transaction,
  token: string,
  { error, retry }: { readonly error: string; readonly retry: Retry },
): Promise<string | undefined> {
  const change =
    retry === "dead"
      ? `state = ${state.dead}, error = $3, finished_at = ${now}`
      : `state = ${state.retrying}, error = $3, retry_at = ${retry instanceof Date ? "0" : now} + $4::bigint`;
  const time = retry === "dead" ? [] : [Math.round(retry instanceof Date ? retry.getTime() : retry.afterMs)];
  const lane = await settle(tx, token, { change, parameters: [error, ...time] });
  return lane === undefined ? undefined : advance(tx, lane);
}

/** Ends a lease, with its lane locked; the lane, or `undefined` where the lease is over. */
async function settle(
  { first, tables }: Transaction,
  token: string,
  {
    change,
    parameters = [],
  }: { readonly change: string; readonly parameters?: readonly (string | number)[] },
): Promise<number | undefined> {
  const { lanes, deliveries } = outboxTablesIn(tables.schema);
  const found = await first(
    `WITH held AS (
       SELECT l.id FROM ${lanes} l WHERE l.id = (SELECT lane FROM ${deliveries} WHERE seq = $1) AND l.head = $1 AND l.due_at > ${now}
       FOR UPDATE
     ) UPDATE ${deliveries} d SET token = NULL, ${change} FROM held
     WHERE d.seq = $1 AND d.token = $2 AND d.state = ${state.leased} AND d.lane = held.id RETURNING d.lane`,
    ...[seqOf(token), token, ...parameters],
  );
  return found === undefined ? undefined : integer(found, "lane");
}

/** Makes the oldest unfinished delivery the head of its lane, which is locked. Not while one of the lane is under a lease. */
async function advance({ first, tables }: Transaction, lane: number): Promise<string> {
  const { lanes, deliveries } = outboxTablesIn(tables.schema);
  const row = await first(
    `UPDATE ${lanes} SET (head, due_at) = (
       SELECT seq, retry_at FROM ${deliveries} WHERE lane = $1 AND state < ${state.dead} ORDER BY seq LIMIT 1)
     WHERE id = $1 RETURNING hook`,
    lane,
  );
  return text(row, "hook");
}

/** A delivery with its lane locked. */
async function lockDelivery(
  { first, tables }: Transaction,
  id: string,
): Promise<
  { readonly seq: number; readonly lane: number; readonly state: number; readonly held: number } | undefined
> {
  const { lanes, deliveries } = outboxTablesIn(tables.schema);
  const lane = await first(
    `SELECT id FROM ${lanes} WHERE id = (SELECT lane FROM ${deliveries} WHERE id = $1) FOR UPDATE`,
    id,
  );
  const row = await first(
    `SELECT d.seq, d.lane, d.state, CASE WHEN h.state = ${state.leased} AND l.due_at > ${now} THEN l.head ELSE 0 END AS held
     FROM ${deliveries} d JOIN ${lanes} l ON l.id = d.lane LEFT JOIN ${deliveries} h ON h.seq = l.head WHERE d.id = $1`,
    id,
  );
  if (lane === undefined || row === undefined) return undefined;
  return {
    seq: integer(row, "seq"),
    lane: integer(row, "lane"),
    state: integer(row, "state"),
    held: integer(row, "held"),
  };
}

/** Makes a dead letter pending, and what backs off due. The hook, or `undefined` for any other. */
export async function retry(tx: Transaction, id: string): Promise<string | undefined> {
  const { deliveries } = outboxTablesIn(tx.tables.schema);
  const found = await lockDelivery(tx, id);
  if (found === undefined || (found.state !== state.dead && found.state !== state.retrying)) return undefined;
  const revived = found.state === state.dead ? `, state = ${state.pending}, attempts = 0, error = NULL` : "";
  await tx.all(
    `UPDATE ${deliveries} SET retry_at = 0, finished_at = NULL${revived} WHERE seq = $1`,
    found.seq,
  );
  return found.held === 0 ? advance(tx, found.lane) : "";
}

/** Removes what is neither done nor under a lease. The hook, or `undefined` for any other. */
export async function discard(tx: Transaction, id: string): Promise<string | undefined> {
  const { deliveries, bodies } = outboxTablesIn(tx.tables.schema);
  const found = await lockDelivery(tx, id);
  if (found === undefined || found.state === state.done || found.held === found.seq) return undefined;
  await tx.all(`DELETE FROM ${deliveries} WHERE seq = $1`, found.seq);
  await tx.all(`DELETE FROM ${bodies} WHERE seq = $1`, found.seq);
  return found.held === 0 ? advance(tx, found.lane) : "";
}

/** Removes lanes with all that belongs to them. */
export async function erase(
  { all, tables }: Transaction,
  { text: namespace, prefix }: ErasedNamespaces,
): Promise<number> {
  const { lanes, claims, deliveries, bodies } = outboxTablesIn(tables.schema);
  // All texts that begin with the prefix, which ends in a comma, lie between it and the same with a hyphen, the next character.
  const [from, to] = prefix === undefined ? ["", ""] : [prefix, `${prefix.slice(0, -1)}-`];
  const rows = await all(
    `SELECT id FROM ${lanes} WHERE namespace = $1 OR (namespace >= $2 AND namespace < $3) ORDER BY id FOR UPDATE`,
    ...[namespace, from, to],
  );
  const ids = rows.map((row) => integer(row, "id"));
  if (ids.length === 0) return 0;
  const gone = await all(`DELETE FROM ${deliveries} WHERE lane = ANY ($1::bigint[]) RETURNING seq`, ids);
  await all(
    `DELETE FROM ${bodies} WHERE seq = ANY ($1::bigint[])`,
    gone.map((row) => integer(row, "seq")),
  );
  await all(`DELETE FROM ${claims} WHERE lane = ANY ($1::bigint[])`, ids);
  await all(`DELETE FROM ${lanes} WHERE id = ANY ($1::bigint[])`, ids);
  return gone.length;
}

/** A page of dead letters. */
export async function deadLetters(
  { all, tables }: Transaction,
  hook: string | undefined,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<DeadLetter[]> {
  const { lanes, deliveries, bodies } = outboxTablesIn(tables.schema);
  const rows = await all(
    `SELECT l.hook, l.namespace, d.id, d.thread, d.attempts, d.error, b.bodies FROM ${deliveries} d
     JOIN ${lanes} l ON l.id = d.lane JOIN ${bodies} b ON b.seq = d.seq
     WHERE d.state = ${state.dead} AND d.seq > coalesce((SELECT seq FROM ${deliveries} WHERE id = $1), 0)
       AND l.hook = coalesce($2, l.hook) ORDER BY d.seq LIMIT $3`,
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
export async function listDeliveries(
  { all, tables }: Transaction,
  query: DeliveryQuery,
): Promise<DeliveryRecord[]> {
  const { lanes, deliveries, bodies } = outboxTablesIn(tables.schema);
  const { hook = null, state: wanted, deliveryId = null, limit = 100, after = null } = query;
  const rows = await all(
    `SELECT found.*, b.bodies FROM (
       SELECT l.hook, l.namespace, d.seq, d.id, d.thread, d.attempts, d.error, d.created_at,
         CASE WHEN d.state = ${state.leased} AND NOT (l.head = d.seq AND l.due_at > ${now}) THEN ${state.pending} ELSE d.state END AS state
       FROM ${deliveries} d JOIN ${lanes} l ON l.id = d.lane
       WHERE l.hook = coalesce($1, l.hook) AND d.id = coalesce($2, d.id)
         AND d.seq > coalesce((SELECT seq FROM ${deliveries} WHERE id = $3), 0)
     ) found JOIN ${bodies} b ON b.seq = found.seq
     WHERE found.state = coalesce($4, found.state) ORDER BY found.seq LIMIT $5`,
    ...[hook, deliveryId, after, wanted === undefined ? null : state[wanted], limit],
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
export async function stats(
  { first, tables }: Transaction,
  hook: string | undefined,
  retainMs: number,
): Promise<OutboxStats> {
  const { lanes, deliveries } = outboxTablesIn(tables.schema);
  const row = await first(
    `SELECT count(*) FILTER (WHERE d.state < ${state.dead}) AS unfinished,
       count(*) FILTER (WHERE d.state = ${state.leased} AND l.head = d.seq AND l.due_at > ${now}) AS leased,
       count(*) FILTER (WHERE d.state = ${state.retrying}) AS retrying,
       count(*) FILTER (WHERE d.state = ${state.dead}) AS dead,
       count(*) FILTER (WHERE d.state = ${state.done} AND d.finished_at > ${now} - $2::bigint) AS done,
       (SELECT coalesce(sum(claimed), 0) FROM ${lanes} WHERE hook = coalesce($1, hook)) AS claimed
     FROM ${deliveries} d JOIN ${lanes} l ON l.id = d.lane WHERE l.hook = coalesce($1, l.hook)`,
    ...[hook ?? null, retainMs],
  );
  const leased = integer(row, "leased");
  const retrying = integer(row, "retrying");
  return {
    pending: integer(row, "unfinished") - leased - retrying,
    leased,
    retrying,
    dead: integer(row, "dead"),
    done: integer(row, "done"),
    claimed: integer(row, "claimed"),
  };
}

/** The number of the delivery comes first in a token: it is found without an index of tokens. */
function seqOf(token: string): number {
  const seq = Number.parseInt(token, 10);
  return Number.isSafeInteger(seq) ? seq : 0;
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
