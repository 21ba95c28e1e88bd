import assert from "node:assert/strict";
import {
  allTexts,
  bury,
  delivery,
  enqueue,
  lease,
  leaseMs,
  leaseOne,
  type OutboxContractRow,
  workOff,
} from "./context.ts";

/** Dead letters, what is done by hand, counts and retention. */
export const letterRows: readonly OutboxContractRow[] = [
  {
    id: "letters/kept",
    title: "a dead letter is kept with its messages, its error and its attempts",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const deliveryId = await enqueue(outbox, ["a", "b"]);
      await outbox.fail((await leaseOne(outbox)).token, { message: "first" }, { afterMs: 0 });
      await outbox.fail((await leaseOne(outbox)).token, { message: "second" }, "dead");
      const bodies = delivery(["a", "b"]).messages.map(({ body }) => body);
      assert.deepEqual(await outbox.deadLetters("remember"), [
        {
          deliveryId,
          hook: "remember",
          namespace: ["memories", "asha"],
          threadId: "t1",
          attempts: 2,
          error: "second",
          bodies,
        },
      ]);
      assert.deepEqual(await lease(outbox), []);
    },
  },
  {
    id: "letters/pages",
    title: "dead letters come in pages, in the order of their enqueueing, of one hook or of all",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const texts = ["a", "b", "c", "d", "e"];
      for (const text of texts) await bury(outbox, [text], { namespace: [text] });
      await bury(outbox, ["other"], { hook: "other" });
      const seen: string[][] = [];
      for (let after: string | undefined; ; ) {
        const page = await outbox.deadLetters("remember", { limit: 2, after });
        assert.ok(page.length <= 2);
        seen.push(...allTexts(page));
        after = page.at(-1)?.deliveryId;
        if (after === undefined) break;
      }
      assert.deepEqual(
        seen,
        texts.map((text) => [text]),
      );
      assert.deepEqual(allTexts(await outbox.deadLetters()), [...seen, ["other"]]);
      assert.deepEqual(allTexts(await outbox.deadLetters("remember", { after: "gone" })), seen);
    },
  },
  {
    id: "letters/retry",
    title: "a dead letter that is retried is leased again, its attempts counted from 1",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const deliveryId = await bury(outbox, ["a"]);
      assert.equal(await outbox.retry(deliveryId), true);
      assert.equal(await outbox.retry(deliveryId), false, "it is pending already");
      assert.deepEqual(await outbox.deadLetters("remember"), []);
      const leased = await leaseOne(outbox);
      assert.deepEqual([leased.deliveryId, leased.attempt], [deliveryId, 1]);
      assert.equal(await outbox.retry(deliveryId), false, "it is leased");
      await outbox.complete(leased.token);
      assert.equal(await outbox.retry(deliveryId), false, "it is done");
      assert.equal(await outbox.retry("unknown"), false);
    },
  },
  {
    id: "letters/retry-now",
    title: "a delivery that backs off is due at once when it is retried by hand",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const deliveryId = await enqueue(outbox, ["a"]);
      await outbox.fail((await leaseOne(outbox)).token, { message: "down" }, { afterMs: 3_600_000 });
      assert.deepEqual(await lease(outbox), []);
      assert.equal(await outbox.retry(deliveryId), true);
      assert.equal((await leaseOne(outbox)).attempt, 2);
    },
  },
  {
    id: "letters/discard",
    title: "what is dead, pending or backing off can be discarded; what is leased, done or unknown cannot",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      const dead = await bury(outbox, ["dead"]);
      const first = await enqueue(outbox, ["first"]);
      const second = await enqueue(outbox, ["second"]);
      const third = await enqueue(outbox, ["third"]);
      assert.equal(await outbox.discard(dead), true);
      assert.equal(await outbox.discard(dead), false);
      assert.deepEqual(await outbox.deadLetters("remember"), []);
      assert.equal(await outbox.discard(second), true);
      const { token } = await leaseOne(outbox);
      assert.equal(await outbox.discard(first), false, "leased");
      await outbox.fail(token, { message: "down" }, { afterMs: 3_600_000 });
      assert.equal(await outbox.discard(first), true, "backing off");
      assert.equal((await leaseOne(outbox)).deliveryId, third);
      await advance(leaseMs + 100);
      assert.deepEqual(await workOff(outbox), ["third"]);
      assert.equal(await outbox.discard(third), false, "done");
      assert.equal(await outbox.discard("unknown"), false);
    },
  },
  {
    id: "letters/stats",
    title: "stats count each delivery in one state, of one hook or of all",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      const none = { pending: 0, leased: 0, retrying: 0, dead: 0, done: 0, claimed: 0 };
      assert.deepEqual(await outbox.stats(), none);
      await enqueue(outbox, ["done 1", "done 2", "?done"], { namespace: 1 });
      await workOff(outbox);
      await bury(outbox, ["dead"], { namespace: 2 });
      await enqueue(outbox, ["retrying"], { namespace: 3 });
      await outbox.fail((await leaseOne(outbox)).token, { message: "down" }, { afterMs: 3_600_000 });
      await enqueue(outbox, ["leased"], { namespace: 4 });
      await leaseOne(outbox);
      for (const text of ["pending 1", "pending 2"]) await enqueue(outbox, [text], { namespace: 5 });
      await enqueue(outbox, ["other"], { hook: "other" });
      const counts = { pending: 2, leased: 1, retrying: 1, dead: 1, done: 1, claimed: 7 };
      assert.deepEqual(await outbox.stats("remember"), counts);
      assert.deepEqual(await outbox.stats(), { ...counts, pending: 3, claimed: 8 });
      assert.deepEqual(await outbox.stats("unknown"), none);
      await advance(leaseMs + 100);
      assert.deepEqual(await outbox.stats("remember"), { ...counts, pending: 3, leased: 0 });
    },
  },
  {
    id: "letters/retention",
    title: "what is completed is kept for retainMs; dead letters and what waits are kept as long as it takes",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox({ retainMs: 1_000 });
      await enqueue(outbox, ["done"], { namespace: 1 });
      await workOff(outbox);
      await bury(outbox, ["dead"], { namespace: 2 });
      await enqueue(outbox, ["waits"], { namespace: 3 });
      assert.equal((await outbox.stats()).done, 1);
      await advance(1_500);
      assert.deepEqual(await workOff(outbox), ["waits"]);
      const { done, dead, claimed } = await outbox.stats();
      assert.deepEqual({ done, dead, claimed }, { done: 1, dead: 1, claimed: 3 });
    },
  },
];
