import assert from "node:assert/strict";
import { KeepsakeError } from "../../errors/index.ts";
import {
  allTexts,
  bury,
  delivery,
  enqueue,
  lease,
  leaseMs,
  leaseOne,
  type OutboxContractRow,
  textsOf,
  workOff,
} from "./context.ts";

/** Waking, closing and opening again. */
export const lifeRows: readonly OutboxContractRow[] = [
  {
    id: "life/wake",
    title: "onWork, where there is one, wakes its hook on new and on retried work, until it is ended",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      if (outbox.onWork === undefined) return;
      let wakes = 0;
      let others = 0;
      const end = outbox.onWork("remember", () => {
        wakes += 1;
      });
      outbox.onWork("other", () => {
        others += 1;
      });
      // A wake-up may be on its way to a listener that is just being set up.
      const woken = async (act: () => Promise<unknown>): Promise<void> => {
        const before = wakes;
        for (let tries = 0; wakes === before; tries += 1) {
          assert.ok(tries < 100, "it must wake");
          await act();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      let count = 0;
      await woken(() => {
        count += 1;
        return enqueue(outbox, [`m${count}`], { namespace: count });
      });
      await woken(async () => {
        count += 1;
        const deliveryId = await enqueue(outbox, [`m${count}`], { namespace: count });
        for (const { token } of await lease(outbox, 100)) await outbox.fail(token, { message: "no" }, "dead");
        assert.equal(await outbox.retry(deliveryId), true);
      });
      end();
      await new Promise((resolve) => setTimeout(resolve, 100));
      const before = wakes;
      await enqueue(outbox, ["after"], { namespace: "after" });
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(wakes, before);
      assert.equal(others, 0);
    },
  },
  {
    id: "life/close",
    title: "a closed outbox refuses, and can be closed again",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a"]);
      await outbox.close();
      await outbox.close();
      const closed = (error: unknown): boolean => KeepsakeError.isInstance(error) && error.code === "closed";
      await assert.rejects(async () => outbox.enqueue(delivery(["b"])), closed);
      await assert.rejects(async () => lease(outbox), closed);
      await assert.rejects(async () => outbox.stats(), closed);
    },
  },
  {
    id: "life/unused",
    title: "an outbox that was never used can be closed",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await outbox.close();
    },
  },
  {
    id: "life/reopening",
    title:
      "everything is there after reopening: what waits, leases, backing off, dead letters, claims, order",
    needs: "persistent",
    async run({ createOutbox, reopen, advance }) {
      assert.ok(reopen !== undefined);
      const first = await createOutbox();
      await enqueue(first, ["done"]);
      await workOff(first);
      const dead = await bury(first, ["dead"]);
      for (const text of ["leased", "next"]) await enqueue(first, [text]);
      const held = await leaseOne(first);
      await enqueue(first, ["backs off"], { namespace: 2 });
      await first.fail((await leaseOne(first)).token, { message: "down" }, { afterMs: 3_600_000 });
      const counts = await first.stats();
      await first.close();

      const second = await reopen();
      assert.deepEqual(await second.stats(), counts);
      assert.equal(await second.enqueue(delivery(["done", "dead", "leased", "next"])), null);
      assert.equal(await second.enqueue(delivery(["backs off"], { namespace: 2 })), null);
      assert.deepEqual(
        (await second.deadLetters()).map(({ deliveryId, error }) => [deliveryId, error]),
        [[dead, "dead failed"]],
      );
      assert.deepEqual(await lease(second), []);
      assert.equal(await second.renew(held.token, leaseMs), true, "a lease outlives the instance");
      await advance(leaseMs + 100);
      const again = await leaseOne(second);
      assert.deepEqual([textsOf(again), again.attempt], [["leased"], 2]);
      assert.equal(await second.complete(again.token), true);
      assert.deepEqual(allTexts([await leaseOne(second)]), [["next"]]);
      await second.close();
    },
  },
  {
    id: "life/shared",
    title: "what one instance does by hand the other sees: erase, retry, discard",
    needs: "shared",
    async run({ createOutbox, openAnother }) {
      assert.ok(openAnother !== undefined);
      const outbox = await createOutbox();
      const another = await openAnother();
      const dead = await bury(outbox, ["dead"], { namespace: 1 });
      const pending = await enqueue(outbox, ["pending"], { namespace: 2 });
      await enqueue(outbox, ["erased"], { namespace: 3 });
      const leased = await lease(outbox);
      const token = leased.find(({ namespace }) => namespace === 3)?.token ?? "";
      assert.equal(await another.erase(3), 1);
      assert.equal(await outbox.renew(token, leaseMs), false);
      assert.equal(await another.discard(pending), false, "leased by the first");
      assert.equal(await another.retry(dead), true);
      assert.deepEqual(allTexts([await leaseOne(outbox)]), [["dead"]]);
      await another.close();
      assert.equal((await outbox.stats()).leased, 2);
    },
  },
];
