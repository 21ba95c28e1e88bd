import assert from "node:assert/strict";
import { enqueue, lease, leaseMs, leaseOne, type OutboxContractRow, textsOf, workOff } from "./context.ts";

/** Leases end, and old tokens are worth nothing. */
export const leaseRows: readonly OutboxContractRow[] = [
  {
    id: "leases/expiry",
    title:
      "a lease that expired is given to the next, with a new token and attempt + 1; the old token is refused",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      const deliveryId = await enqueue(outbox, ["a", "b"]);
      const first = await leaseOne(outbox);
      assert.deepEqual([first.deliveryId, first.attempt], [deliveryId, 1]);
      await advance(leaseMs + 100);
      const second = await leaseOne(outbox);
      assert.deepEqual(
        { ...second, token: "" },
        { ...first, attempt: 2, token: "" },
        "the same delivery, unchanged",
      );
      assert.notEqual(second.token, first.token);
      assert.equal(await outbox.renew(first.token, leaseMs), false);
      assert.equal(await outbox.complete(first.token), false);
      assert.equal(await outbox.fail(first.token, { message: "late" }, "dead"), false);
      assert.equal((await outbox.stats()).leased, 1);
      assert.equal(await outbox.complete(second.token), true);
      assert.deepEqual(await outbox.deadLetters("remember"), []);
    },
  },
  {
    id: "leases/expired-token",
    title: "the token of a lease that expired is refused also where nobody took it over",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a"]);
      const { token } = await leaseOne(outbox);
      await advance(leaseMs + 100);
      assert.equal(await outbox.renew(token, leaseMs), false);
      assert.equal(await outbox.complete(token), false);
      assert.equal(await outbox.fail(token, { message: "late" }, { afterMs: 0 }), false);
      assert.deepEqual(await workOff(outbox), ["a"]);
    },
  },
  {
    id: "leases/boundary",
    title: "a lease holds until its end, and is over at its end; a retry is due at its time",
    needs: "clock",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a"]);
      await leaseOne(outbox);
      await advance(leaseMs - 1);
      assert.deepEqual(await lease(outbox), []);
      await advance(1);
      const { token } = await leaseOne(outbox);
      await outbox.fail(token, { message: "down" }, { afterMs: 1_000 });
      await advance(999);
      assert.deepEqual(await lease(outbox), []);
      await advance(1);
      assert.equal((await leaseOne(outbox)).attempt, 3);
    },
  },
  {
    id: "leases/renewal",
    title: "a lease that is renewed goes on from then",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a"]);
      const { token } = await leaseOne(outbox);
      await advance(leaseMs / 3);
      assert.equal(await outbox.renew(token, leaseMs * 4), true);
      await advance(leaseMs);
      assert.deepEqual(await lease(outbox), []);
      assert.equal(await outbox.complete(token), true);
    },
  },
  {
    id: "leases/over",
    title: "a token is worth nothing once its lease was answered; unknown tokens neither",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a"]);
      await enqueue(outbox, ["b"]);
      const { token } = await leaseOne(outbox);
      assert.equal(await outbox.fail(token, { message: "down" }, { afterMs: 0 }), true);
      for (const old of [token, "unknown", ""]) {
        assert.equal(await outbox.complete(old), false);
        assert.equal(await outbox.renew(old, leaseMs), false);
        assert.equal(await outbox.fail(old, { message: "again" }, "dead"), false);
      }
      const second = await leaseOne(outbox);
      assert.deepEqual([textsOf(second), second.attempt], [["a"], 2]);
      assert.equal(await outbox.complete(second.token), true);
      assert.equal(await outbox.complete(second.token), false);
      assert.equal(await outbox.fail(second.token, { message: "again" }, "dead"), false);
      assert.deepEqual(await workOff(outbox), ["b"]);
    },
  },
  {
    id: "leases/retry-at",
    title: "a retry can be due at a time by the clock: one that has passed at once, one of a far year not",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a"]);
      await outbox.fail((await leaseOne(outbox)).token, { message: "x" }, new Date(0));
      await outbox.fail((await leaseOne(outbox)).token, { message: "x" }, new Date("2999-01-01"));
      assert.deepEqual(await lease(outbox), []);
    },
  },
  {
    id: "leases/clock-jumps",
    title: "a clock that jumps an hour causes a second lease at most, of which one completion counts",
    needs: "clock",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      const hourMs = 60 * 60 * 1000;
      for (const text of ["a", "b"]) await enqueue(outbox, [text]);
      const early = await leaseOne(outbox);
      await advance(hourMs);
      const late = await leaseOne(outbox);
      assert.deepEqual(textsOf(late), ["a"]);
      await advance(-hourMs);
      assert.equal(await outbox.complete(early.token), false);
      assert.deepEqual(await lease(outbox), []);
      assert.equal(await outbox.complete(late.token), true);
      const next = await leaseOne(outbox);
      await advance(-hourMs);
      assert.equal(await outbox.renew(next.token, leaseMs), true);
      await outbox.fail(next.token, { message: "down" }, { afterMs: 1_000 });
      await advance(hourMs);
      assert.deepEqual(await workOff(outbox), ["b"]);
      assert.equal((await outbox.stats()).done, 2);
    },
  },
];
