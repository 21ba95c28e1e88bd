import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { InMemoryOutbox } from "../../src/delivery/index.ts";

const leaseMs = 100;
const namespaces = ["a", "b"];

/** What the outbox must be like: a list of deliveries in order, and what was claimed. */
interface Expected {
  readonly id: string;
  readonly namespace: string;
  readonly texts: readonly string[];
  state: "waiting" | "leased" | "dead" | "done";
  attempts: number;
  token: string;
  /** The end of the lease, or when a retry is due. */
  at: number;
}

interface Model {
  rows: Expected[];
  claimed: Set<string>;
  now: number;
  made: number;
  /** Tokens that were ever given. */
  tokens: string[];
  /** Each text's completions. */
  completed: Map<string, number>;
}

type Command = (outbox: InMemoryOutbox, model: Model) => void;

const held = (model: Model, { state, at }: Expected): boolean => state === "leased" && at > model.now;

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...namespaces), fc.uniqueArray(fc.nat(15), { maxLength: 3 }))
      .map(enqueue),
  },
  { weight: 4, arbitrary: fc.nat(3).map(lease) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(), fc.constantFrom("complete", "renew", "dead", 0, 50, 500)).map(settle),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(1, 50, 99, 100, 101, 1_000, 3_600_000, -50, -3_600_000).map(moveClock),
  },
  { weight: 1, arbitrary: fc.tuple(fc.nat(), fc.constantFrom("retry", "discard")).map(byHand) },
  { weight: 1, arbitrary: fc.constantFrom(...namespaces).map(erase) },
);

function enqueue([namespace, numbers]: [string, number[]]): Command {
  return (outbox, model) => {
    const texts = numbers.map((number) => `${namespace}${number}`);
    const fresh = texts.filter((text) => !model.claimed.has(text));
    model.made += 1;
    const id = `d${model.made}`;
    const messages = texts.map((text) => ({ identity: text, body: text }));
    const made = outbox.enqueueSync({
      hook: "h",
      deliveryId: id,
      namespace: [namespace],
      threadId: undefined,
      messages,
    });
    assert.deepEqual(made, fresh.length === 0 ? null : { deliveryId: id });
    for (const text of fresh) model.claimed.add(text);
    if (fresh.length > 0)
      model.rows.push({
        id,
        namespace,
        texts: fresh,
        state: "waiting",
        attempts: 0,
        token: "",
        at: Number.NEGATIVE_INFINITY,
      });
  };
}

function lease(limit: number): Command {
  return (outbox, model) => {
    const expected: Expected[] = [];
    for (const namespace of namespaces) {
      const line = model.rows.filter(
        (row) => row.namespace === namespace && row.state !== "dead" && row.state !== "done",
      );
      const [first] = line;
      if (first !== undefined && !line.some((row) => held(model, row)) && first.at <= model.now)
        expected.push(first);
    }
    expected.sort((left, right) => model.rows.indexOf(left) - model.rows.indexOf(right)).splice(limit);
    const leased = outbox.lease("h", { limit, leaseMs });
    assert.deepEqual(
      leased.map(({ deliveryId, attempt, bodies }) => [deliveryId, attempt, bodies]),
      expected.map(({ id, attempts, texts }) => [id, attempts + 1, texts]),
    );
    for (const [index, row] of expected.entries()) {
      const token = leased[index]?.token ?? "";
      assert.ok(!model.tokens.includes(token), "a token is never used again");
      model.tokens.push(token);
      Object.assign(row, { state: "leased", attempts: row.attempts + 1, at: model.now + leaseMs, token });
    }
  };
}

function settle([pick, how]: [number, string | number]): Command {
  return (outbox, model) => {
    const token = model.tokens[pick % Math.max(1, model.tokens.length)] ?? "none";
    const row = model.rows.find((candidate) => candidate.token === token && held(model, candidate));
    const isCurrent = row !== undefined;
    if (how === "complete") {
      assert.equal(outbox.complete(token), isCurrent);
      if (isCurrent) {
        row.state = "done";
        for (const text of row.texts) model.completed.set(text, (model.completed.get(text) ?? 0) + 1);
      }
    } else if (how === "renew") {
      assert.equal(outbox.renew(token, leaseMs), isCurrent);
      if (isCurrent) row.at = model.now + leaseMs;
    } else {
      const retry = typeof how === "number" ? { afterMs: how } : "dead";
      assert.equal(outbox.fail(token, { message: "x" }, retry), isCurrent);
      if (isCurrent)
        Object.assign(
          row,
          typeof how === "number" ? { state: "waiting", at: model.now + how } : { state: "dead" },
        );
    }
  };
}

function moveClock(byMs: number): Command {
  return (_, model) => {
    model.now += byMs;
  };
}

function byHand([pick, how]: [number, string]): Command {
  return (outbox, model) => {
    const row = model.rows[pick % Math.max(1, model.rows.length)];
    if (row === undefined) return;
    if (how === "retry") {
      const isBackingOff = row.state === "waiting" && row.attempts > 0 && row.at > Number.NEGATIVE_INFINITY;
      const answer = outbox.retry(row.id);
      if (row.state === "dead") assert.equal(answer, true);
      else assert.equal(answer, isBackingOff || (answer && row.state === "waiting" && row.attempts > 0));
      if (row.state === "dead") Object.assign(row, { state: "waiting", attempts: 0 });
      if (answer) row.at = Number.NEGATIVE_INFINITY;
    } else {
      const isFree = row.state !== "done" && !held(model, row);
      assert.equal(outbox.discard(row.id), isFree);
      if (isFree) model.rows.splice(model.rows.indexOf(row), 1);
    }
  };
}

function erase(namespace: string): Command {
  return (outbox, model) => {
    const erased = model.rows.filter((row) => row.namespace === namespace);
    assert.equal(outbox.erase([namespace]), erased.length);
    model.rows = model.rows.filter((row) => row.namespace !== namespace);
    for (const text of [...model.claimed])
      if (text.startsWith(namespace)) {
        model.claimed.delete(text);
        model.completed.delete(text);
      }
  };
}

function checkCounts(outbox: InMemoryOutbox, model: Model): void {
  const count = (...states: Expected["state"][]): number =>
    model.rows.filter(({ state }) => states.includes(state)).length;
  const stats = outbox.stats("h");
  assert.equal(stats.pending + stats.leased + stats.retrying, count("waiting", "leased"));
  assert.equal(stats.leased, model.rows.filter((row) => held(model, row)).length);
  assert.deepEqual(
    [stats.dead, stats.done, stats.claimed],
    [count("dead"), count("done"), model.claimed.size],
  );
  assert.equal(outbox.deadLetters("h").length, count("dead"));
  for (const [text, times] of model.completed) assert.equal(times, 1, `${text} is completed once`);
}

test("an outbox in memory does what a list of deliveries would, whatever happens in whichever order", () => {
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 60 }), (sequence) => {
      const model: Model = {
        rows: [],
        claimed: new Set(),
        now: 1e9,
        made: 0,
        tokens: [],
        completed: new Map(),
      };
      const outbox = new InMemoryOutbox({ now: () => model.now, retainMs: Number.MAX_SAFE_INTEGER });
      for (const command of sequence) {
        command(outbox, model);
        checkCounts(outbox, model);
      }
    }),
    { numRuns: 300 },
  );
});
