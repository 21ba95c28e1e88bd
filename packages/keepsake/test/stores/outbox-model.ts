import { expect } from "vitest";
import { InMemoryOutbox, type LeasedDelivery, type Outbox, type Retry } from "../../src/delivery/index.ts";
import type { Json } from "../../src/util/index.ts";
import { pick, randomFrom } from "./isolation-search.ts";

const hooks = ["one", "two"];
const namespaces: Json[] = [["u", "1"], ["u", "10"], ["u", "1", "notes"], null];

/** Where the history takes place. `advance`: moves the clock of both; without it nothing depends on time. */
export interface ModelSubject {
  readonly outbox: Outbox;
  readonly now: () => number;
  readonly advance?: (byMs: number) => void;
}

/** Does the same at random to an outbox and to one in memory: both must answer alike at every step. */
export async function followModel(
  { outbox, now, advance }: ModelSubject,
  { seed, steps }: { readonly seed: number; readonly steps: number },
): Promise<void> {
  const random = randomFrom(seed);
  const model = new InMemoryOutbox({ now, retainMs: 1_000_000 });
  const both = [model, outbox] as const;
  /** Tokens of the same lease, of the model and of the outbox. */
  const tokens: (readonly [string, string])[] = [];
  const ids: string[] = ["none"];
  const leaseMs = (): number => (advance === undefined ? 1_000_000 : 1 + Math.floor(random() * 50));

  const alike = async <T>(
    what: string,
    ask: (each: Outbox, index: 0 | 1) => T,
  ): Promise<[Awaited<T>, Awaited<T>]> => {
    const answers: [Awaited<T>, Awaited<T>] = [await ask(both[0], 0), await ask(both[1], 1)];
    expect(shown(answers[1]), `${what}, seed ${seed}`).toEqual(shown(answers[0]));
    return answers;
  };
  const anyTokens = (): readonly [string, string] =>
    tokens.length > 0 && random() < 0.95 ? pick(random, tokens) : ["7-none", "7-none"];
  const retryOf = (): Retry => {
    if (random() < 0.3) return "dead";
    if (random() < 0.3) return new Date(advance === undefined ? 0 : now() + 30);
    return { afterMs: advance === undefined ? pick(random, [0, 1_000_000]) : Math.floor(random() * 40) };
  };

  const weighted: readonly [weight: number, step: (at: string) => Promise<unknown>][] = [
    [
      18,
      (at) => {
        const deliveryId = random() < 0.9 ? `d${ids.length}` : pick(random, ids);
        ids.push(deliveryId);
        const namespace = pick(random, namespaces);
        const hook = pick(random, hooks);
        const messages = Array.from({ length: Math.floor(random() * 4) }, () => {
          const text = `${JSON.stringify(namespace)} ${Math.floor(random() * 60)}`;
          return { identity: random() < 0.2 ? undefined : text, body: { text } };
        });
        return alike(`${at}: enqueue`, (each) =>
          each.enqueue({ hook, deliveryId, namespace, threadId: undefined, messages }),
        );
      },
    ],
    [
      18,
      async (at) => {
        const options = { limit: 1 + Math.floor(random() * 3), leaseMs: leaseMs() };
        const hook = pick(random, hooks);
        const [ours, theirs] = await alike(`${at}: lease`, (each) => each.lease(hook, options));
        for (const [index, { token }] of ours.entries()) tokens.push([token, theirs[index]?.token ?? ""]);
      },
    ],
    [
      12,
      (at) => {
        const pair = anyTokens();
        return alike(`${at}: complete`, (each, index) => each.complete(pair[index]));
      },
    ],
    [
      9,
      (at) => {
        const pair = anyTokens();
        const again = retryOf();
        return alike(`${at}: fail`, (each, index) => each.fail(pair[index], { message: at }, again));
      },
    ],
    [
      3,
      (at) => {
        const pair = anyTokens();
        const ms = leaseMs();
        return alike(`${at}: renew`, (each, index) => each.renew(pair[index], ms));
      },
    ],
    [
      6,
      (at) => {
        const id = pick(random, ids);
        return alike(`${at}: retry`, (each) => each.retry(id));
      },
    ],
    [
      3,
      (at) => {
        const id = pick(random, ids);
        return alike(`${at}: discard`, (each) => each.discard(id));
      },
    ],
    [
      1,
      (at) => {
        const namespace = pick(random, namespaces);
        return alike(`${at}: erase`, (each) => each.erase(namespace));
      },
    ],
    [9, async () => advance?.(Math.floor(random() * 30))],
  ];
  const choices = weighted.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));
  for (let index = 0; index < steps; index += 1) {
    const step = pick(random, choices);
    await step(`step ${index}`);
    await alike(`step ${index}: stats`, (each) => each.stats(index % 3 === 0 ? undefined : hooks[0]));
    if (index % 10 === 0) await alike(`step ${index}: dead letters`, (each) => each.deadLetters());
  }
}

/** Tokens differ. */
function shown(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  return answer.map((each: LeasedDelivery | object) => ({ ...each, token: undefined }));
}
