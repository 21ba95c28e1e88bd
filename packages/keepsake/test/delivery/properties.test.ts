import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notTaken } from "../../src/delivery/index.ts";
import { bench, type Hook, type Message, settle } from "./harness.ts";

interface Attempt {
  readonly deliveryId: string;
  readonly attempt: number;
  /** Scope and contents, which are unique per message here. */
  readonly contents: readonly string[];
  taken: boolean;
}

type Ending = "returns" | "resolves" | "throws" | "rejects" | "notTaken" | "resolves notTaken";

const endings: Ending[] = ["returns", "resolves", "throws", "rejects", "notTaken", "resolves notTaken"];
const scopes = [
  { namespace: ["a"], threadId: undefined },
  { namespace: ["a"], threadId: "t" },
  { namespace: ["b"], threadId: undefined },
];

const step = fc.record({
  kind: fc.constantFrom("deliver", "deliver", "deliverSync", "flush", "pause"),
  scope: fc.nat(2),
  from: fc.nat(7),
  count: fc.nat(4),
});

/** A hook that ends as it is told, when the scheduler says so, and keeps its attempts. */
function scripted(script: readonly Ending[], scheduler: fc.Scheduler, healed: () => boolean) {
  const attempts: Attempt[] = [];
  const running = new Set<string>();
  const hook: Hook = (messages, namespace, { deliveryId, attempt, threadId }) => {
    const ending = healed() ? "returns" : (script[attempts.length % script.length] ?? "returns");
    const contents = messages.map(({ content }) => JSON.stringify([namespace, threadId, content]));
    const record: Attempt = { deliveryId, attempt, contents, taken: false };
    attempts.push(record);
    expect(running.has(deliveryId), "one attempt of a delivery at a time").toBe(false);
    if (ending === "throws") throw new Error("scripted");
    if (ending === "notTaken") return notTaken;
    if (ending === "returns") {
      record.taken = true;
      return undefined;
    }
    running.add(deliveryId);
    return scheduler.schedule(Promise.resolve()).then(() => {
      running.delete(deliveryId);
      if (ending === "rejects") throw new Error("scripted");
      record.taken = ending === "resolves";
      return record.taken ? undefined : notTaken;
    });
  };
  return { hook, attempts };
}

const script = fc.array(fc.constantFrom(...endings), { minLength: 1, maxLength: 6 });

async function play(
  steps: readonly { kind: string; scope: number; from: number; count: number }[],
  scripts: readonly (readonly Ending[])[],
  scheduler: fc.Scheduler,
  pool: readonly Message[],
) {
  let healed = false;
  const hooks = scripts.map((endings) => scripted(endings, scheduler, () => healed));
  const { deliverer, events } = bench(hooks.map(({ hook }) => hook));
  const offered = new Set<string>();
  const pending: Promise<unknown>[] = [];
  for (const { kind, scope: index, from, count } of steps) {
    const scope = scopes[index] ?? scopes[0]!;
    const list = pool.slice(from, from + count);
    if (kind === "deliver" || kind === "deliverSync") {
      for (const { content } of list) offered.add(JSON.stringify([scope.namespace, scope.threadId, content]));
    }
    if (kind === "deliver") {
      const outcome = deliverer.deliver(list, scope).then(({ taken }) => {
        // A later call may have healed a failure; the other way round it cannot be: what counts as taken was taken by every hook.
        if (!taken) return;
        for (const { attempts } of hooks) {
          const done = new Set(
            attempts.filter((attempt) => attempt.taken).flatMap(({ contents }) => contents),
          );
          for (const { content } of list) {
            expect(done.has(JSON.stringify([scope.namespace, scope.threadId, content]))).toBe(true);
          }
        }
      });
      pending.push(outcome);
    }
    if (kind === "deliverSync") deliverer.deliverSync(list, scope);
    if (kind === "flush") pending.push(deliverer.flush());
    if (kind === "pause" && scheduler.count() > 0) await scheduler.waitNext(1);
  }
  await scheduler.waitIdle();
  await Promise.all(pending);
  healed = true;
  const flushed = deliverer.flush();
  await scheduler.waitIdle();
  await flushed;
  await settle();
  return { hooks, events, offered };
}

describe("random interleavings of deliver, deliverSync and flush", () => {
  it("deliver each identity exactly once per hook, in attempts that count up", async () => {
    const pool = Array.from({ length: 12 }, (_, index) => ({
      role: "user",
      content: `text ${index}`,
      id: `m${index}`,
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        script,
        script,
        fc.scheduler(),
        async (steps, a, b, scheduler) => {
          const { hooks, events, offered } = await play(steps, [a, b], scheduler, pool);
          const ids: string[] = [];
          for (const { attempts } of hooks) {
            const taken = attempts.filter((attempt) => attempt.taken).flatMap(({ contents }) => contents);
            expect(taken.length).toBe(new Set(taken).size);
            expect(new Set(taken)).toEqual(offered);
            const deliveries = groupById(attempts);
            for (const [id, tries] of deliveries) {
              ids.push(id);
              expect(tries.map(({ attempt }) => attempt)).toEqual(tries.map((_, index) => index + 1));
              for (const { contents } of tries) expect(contents).toEqual(tries[0]?.contents);
              expect(tries.map(({ taken }) => taken)).toEqual(
                tries.map((_, index) => index === tries.length - 1),
              );
            }
          }
          expect(new Set(ids).size).toBe(ids.length);
          const total = hooks.reduce((sum, { attempts }) => sum + attempts.length, 0);
          expect(events.filter(({ type }) => type === "delivered" || type === "failed")).toHaveLength(total);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("lose no message without an id, and hold none of them twice at once", async () => {
    const pool = Array.from({ length: 12 }, (_, index) => ({ role: "user", content: `text ${index}` }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        script,
        fc.scheduler(),
        async (steps, a, scheduler) => {
          const { hooks, offered } = await play(steps, [a], scheduler, pool);
          for (const { attempts } of hooks) {
            const taken = attempts.filter((attempt) => attempt.taken).flatMap(({ contents }) => contents);
            expect(new Set(taken)).toEqual(offered);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

function groupById(attempts: readonly Attempt[]): Map<string, Attempt[]> {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts)
    groups.set(attempt.deliveryId, [...(groups.get(attempt.deliveryId) ?? []), attempt]);
  return groups;
}
