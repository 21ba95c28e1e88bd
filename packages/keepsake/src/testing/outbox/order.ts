import assert from "node:assert/strict";
import type { Json } from "../../util/index.ts";
import {
  allTexts,
  bury,
  enqueue,
  lease,
  leaseMs,
  leaseOne,
  type OutboxContractRow,
  textsOf,
  workOff,
} from "./context.ts";

const asha: Json = ["memories", "asha"];
const ben: Json = ["memories", "ben"];

/** One delivery of a namespace at a time, oldest first. */
export const orderRows: readonly OutboxContractRow[] = [
  {
    id: "order/one-at-a-time",
    title: "of one (hook, namespace) one delivery is leased at a time, oldest first",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      for (const text of ["a", "b", "c"]) await enqueue(outbox, [text], { threadId: `thread of ${text}` });
      for (const text of ["a", "b", "c"]) {
        const leased = await leaseOne(outbox);
        assert.deepEqual(textsOf(leased), [text]);
        assert.equal(leased.threadId, `thread of ${text}`);
        assert.deepEqual(await lease(outbox), [], "while the first is leased");
        assert.equal(await outbox.complete(leased.token), true);
      }
      assert.deepEqual(await lease(outbox), []);
    },
  },
  {
    id: "order/backing-off",
    title: "the next waits while the first backs off",
    async run({ createOutbox, advance }) {
      const outbox = await createOutbox();
      for (const text of ["a", "b"]) await enqueue(outbox, [text]);
      await outbox.fail((await leaseOne(outbox)).token, { message: "down" }, { afterMs: leaseMs });
      assert.deepEqual(await lease(outbox), []);
      await advance(leaseMs + 100);
      const again = await leaseOne(outbox);
      assert.deepEqual([textsOf(again), again.attempt], [["a"], 2]);
      await outbox.complete(again.token);
      assert.deepEqual(await workOff(outbox), ["b"]);
    },
  },
  {
    id: "order/dead",
    title: "when the first is dead, the next runs",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      for (const text of ["a", "b"]) await enqueue(outbox, [text]);
      await outbox.fail((await leaseOne(outbox)).token, { message: "broken" }, "dead");
      assert.deepEqual(await workOff(outbox), ["b"]);
    },
  },
  {
    id: "order/retried-by-hand",
    title: "a dead letter that is retried goes before what is younger, but not beside it",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const dead = await bury(outbox, ["a"]);
      for (const text of ["b", "c"]) await enqueue(outbox, [text]);
      const running = await leaseOne(outbox);
      assert.deepEqual(textsOf(running), ["b"]);
      assert.equal(await outbox.retry(dead), true);
      assert.deepEqual(await lease(outbox), [], "while b is leased");
      await outbox.complete(running.token);
      assert.deepEqual(await workOff(outbox), ["a", "c"]);
    },
  },
  {
    id: "order/side-by-side",
    title: "different namespaces and hooks are leased side by side, oldest first, up to the limit",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["asha 1"], { namespace: asha });
      await enqueue(outbox, ["asha 2"], { namespace: asha });
      await enqueue(outbox, ["ben 1"], { namespace: ben });
      await enqueue(outbox, ["nobody 1"], { namespace: null });
      await enqueue(outbox, ["asha 1"], { namespace: asha, hook: "other" });
      assert.deepEqual(allTexts(await lease(outbox, 2)), [["asha 1"], ["ben 1"]]);
      assert.deepEqual(allTexts(await lease(outbox)), [["nobody 1"]]);
      assert.deepEqual(allTexts(await lease(outbox, 10, "other")), [["asha 1"]]);
      assert.deepEqual(await lease(outbox, 0), []);
    },
  },
  {
    id: "order/failing-neighbour",
    title: "a namespace that backs off does not hold up another, however many of its deliveries come first",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      for (let index = 0; index < 30; index += 1)
        await enqueue(outbox, [`asha ${index}`], { namespace: asha });
      await outbox.fail((await leaseOne(outbox)).token, { message: "down" }, { afterMs: 60_000 });
      await enqueue(outbox, ["ben"], { namespace: ben });
      assert.deepEqual(allTexts(await lease(outbox, 1)), [["ben"]]);
    },
  },
  {
    id: "order/concurrent",
    title: "concurrent leases are disjoint, and of one namespace one",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const people = Array.from({ length: 12 }, (_, index) => `person ${index}`);
      for (const round of [1, 2])
        for (const person of people) await enqueue(outbox, [`${person}, ${round}`], { namespace: [person] });
      const leased = (await Promise.all([5, 5, 5, 5, 5].map(async (limit) => lease(outbox, limit)))).flat();
      const namespaces = leased.map(({ namespace }) => JSON.stringify(namespace));
      assert.equal(new Set(namespaces).size, leased.length);
      assert.deepEqual(
        [...leased, ...(await lease(outbox, 50))].flatMap(textsOf).sort(),
        people.map((person) => `${person}, 1`).sort(),
      );
    },
  },
  {
    id: "order/shared",
    title: "two instances on one database lease disjointly, and keep the order of a namespace",
    needs: "shared",
    async run({ createOutbox, openAnother }) {
      assert.ok(openAnother !== undefined);
      const outbox = await createOutbox();
      const another = await openAnother();
      const expected = Array.from({ length: 8 }, (_, index) => `m${index}`);
      for (const [index, text] of expected.entries()) await enqueue(index % 2 ? outbox : another, [text]);
      const texts: string[] = [];
      while (texts.length < expected.length) {
        const [left, right] = await Promise.all([lease(outbox), lease(another)]);
        const leased = [...left, ...right];
        assert.equal(leased.length, 1, "one of the two gets the one that is due");
        for (const one of leased) {
          texts.push(...textsOf(one));
          assert.equal(await another.complete(one.token), true, "whoever has the token may complete");
        }
      }
      assert.deepEqual(texts, expected);
      await another.close();
    },
  },
];
