import assert from "node:assert/strict";
import {
  allTexts,
  delivery,
  enqueue,
  lease,
  leaseOne,
  type OutboxContractRow,
  textsOf,
  workOff,
} from "./context.ts";

/** Each message once per hook, for ever. */
export const claimRows: readonly OutboxContractRow[] = [
  {
    id: "claims/once",
    title: "a message that was claimed is dropped, the rest is stored in order; null where nothing is new",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a", "b"]);
      const rest = await outbox.enqueue(delivery(["b", "c", "a", "d"]));
      assert.ok(rest !== null);
      assert.equal(await outbox.enqueue(delivery(["d", "a"])), null);
      assert.deepEqual(textsOf(await leaseOne(outbox)), ["a", "b"]);
      assert.equal((await outbox.stats()).claimed, 4);
      await outbox.erase(["nobody"]);
      assert.equal((await outbox.stats()).pending, 1);
    },
  },
  {
    id: "claims/after-completion",
    title: "a claim outlives its delivery: done, discarded, dead or past its retention",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox({ retainMs: 500 });
      await enqueue(outbox, ["done"]);
      await workOff(outbox);
      const discarded = await enqueue(outbox, ["discarded"]);
      await outbox.discard(discarded);
      await enqueue(outbox, ["dead"]);
      await outbox.fail((await leaseOne(outbox)).token, { message: "no" }, "dead");
      await advance(1_000);
      for (const text of ["done", "discarded", "dead"])
        assert.equal(await outbox.enqueue(delivery([text])), null, text);
      await enqueue(outbox, ["new"]);
      assert.equal((await outbox.stats()).claimed, 4);
    },
  },
  {
    id: "claims/per-hook",
    title: "each hook claims for itself, and leases its own deliveries alone",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const first = await enqueue(outbox, ["a"], { hook: "one" });
      const second = await enqueue(outbox, ["a"], { hook: "two" });
      assert.notEqual(first, second);
      assert.deepEqual(await workOff(outbox, "one"), ["a"]);
      assert.deepEqual(await workOff(outbox, "one"), []);
      assert.deepEqual(await workOff(outbox, "two"), ["a"]);
      assert.deepEqual(await workOff(outbox, "three"), []);
    },
  },
  {
    id: "claims/no-identity",
    title: "a message without an identity is always stored",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["?ok", "?ok"]);
      await enqueue(outbox, ["?ok", "a"]);
      await enqueue(outbox, ["?ok", "a"]);
      assert.deepEqual(await workOff(outbox), ["?ok", "?ok", "?ok", "a", "?ok"]);
      assert.equal((await outbox.stats()).claimed, 1);
    },
  },
  {
    id: "claims/within-a-delivery",
    title: "an identity that one delivery holds twice is stored once; an empty delivery is not stored",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a", "b", "a"]);
      assert.deepEqual(await workOff(outbox), ["a", "b"]);
      assert.equal(await outbox.enqueue(delivery([])), null);
    },
  },
  {
    id: "claims/delivery-id",
    title: "a delivery id is kept, and makes a repeated enqueue harmless where messages have no identity",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const repeated = { deliveryId: "d1" };
      assert.equal(await enqueue(outbox, ["?a", "?b"], repeated), "d1");
      assert.equal(await outbox.enqueue(delivery(["?a", "?b"], repeated)), null);
      const leased = await leaseOne(outbox);
      assert.equal(leased.deliveryId, "d1");
      assert.equal(await outbox.enqueue(delivery(["?a", "?b"], repeated)), null, "while leased");
      await outbox.complete(leased.token);
      assert.equal(await outbox.enqueue(delivery(["?a", "?b", "c"], repeated)), null, "while done");
      assert.notEqual(await enqueue(outbox, ["c"]), "d1", "a refused delivery claims nothing");
      assert.deepEqual(await workOff(outbox), ["c"]);
    },
  },
  {
    id: "claims/concurrent",
    title: "concurrent enqueues of the same messages store each in one delivery",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const texts = ["a", "b", "c", "d", "e"];
      const lists = texts.map((_, start) => [...texts.slice(start), ...texts.slice(0, start)]);
      await Promise.all([...lists, ...lists].map(async (list) => outbox.enqueue(delivery(list))));
      assert.deepEqual((await workOff(outbox)).sort(), texts);
    },
  },
  {
    id: "claims/shared",
    title: "two instances on one database store each message in one delivery",
    needs: "shared",
    async run({ createOutbox, openAnother }) {
      assert.ok(openAnother !== undefined);
      const outbox = await createOutbox();
      const another = await openAnother();
      const texts = Array.from({ length: 20 }, (_, index) => `m${index}`);
      await Promise.all(
        [outbox, another, outbox, another].map(async (instance, start) => {
          for (let index = start; index < texts.length; index += 1)
            await instance.enqueue(delivery(texts.slice(index, index + 3)));
        }),
      );
      await Promise.all([outbox.enqueue(delivery(texts)), another.enqueue(delivery(texts))]);
      assert.deepEqual((await workOff(another)).sort(), [...texts].sort());
      await another.close();
    },
  },
  {
    id: "claims/sync",
    title: "enqueueSync commits before it returns, under the same claims",
    needs: "sync",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      assert.ok(outbox.enqueueSync !== undefined);
      const made = outbox.enqueueSync(delivery(["a", "b"], { deliveryId: "d1" }));
      assert.deepEqual(made, { deliveryId: "d1" });
      assert.equal(outbox.enqueueSync(delivery(["b", "a"])), null);
      assert.equal(await outbox.enqueue(delivery(["a"])), null);
      await enqueue(outbox, ["c"]);
      assert.equal(outbox.enqueueSync(delivery(["c"])), null);
      const [first] = await lease(outbox);
      assert.deepEqual(allTexts(first === undefined ? [] : [first]), [["a", "b"]]);
    },
  },
];
