import assert from "node:assert/strict";
import { KeepsakeError } from "../../errors/index.ts";
import type { Json } from "../../util/index.ts";
import { delivery, enqueue, lease, leaseOne, type OutboxContractRow, textsOf, workOff } from "./context.ts";

/** Near misses of ["u", "1"]: none of them is it, or below it. */
const strangers: readonly Json[] = [
  ["u"],
  ["u", "10"],
  ["u", "1:x"],
  ["u", '1","x'],
  ["u", "1]"],
  ["u", 1],
  ["u", "%"],
  ["u", "_"],
  ["U", "1"],
  ["x", "u", "1"],
  [["u", "1"]],
  "u",
  '["u","1"]',
  '["u","1",',
  { u: "1" },
  null,
];

function refused(code: string): (error: unknown) => boolean {
  return (error) => KeepsakeError.isInstance(error) && error.code === code;
}

/** Erasing a person, and nobody else. */
export const erasingRows: readonly OutboxContractRow[] = [
  {
    id: "erasing/everything",
    title: "erase removes deliveries in every state, dead letters and claims of a namespace, of all hooks",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const namespace = ["u", "1"];
      await enqueue(outbox, ["done"], { namespace });
      await workOff(outbox);
      await enqueue(outbox, ["dead"], { namespace });
      await outbox.fail((await leaseOne(outbox)).token, { message: "dead" }, "dead");
      for (const text of ["leased", "pending"]) await enqueue(outbox, [text], { namespace });
      await enqueue(outbox, ["other"], { namespace, hook: "other" });
      const { token } = await leaseOne(outbox);
      assert.equal(await outbox.erase(namespace), 5);
      assert.equal(await outbox.erase(namespace), 0);
      assert.equal(await outbox.renew(token, 1_000), false);
      assert.equal(await outbox.complete(token), false);
      const none = { pending: 0, leased: 0, retrying: 0, dead: 0, done: 0, claimed: 0 };
      assert.deepEqual(await outbox.stats(), none);
      assert.deepEqual(await outbox.deadLetters(), []);
      await enqueue(outbox, ["done"], { namespace });
      assert.deepEqual(await workOff(outbox), ["done"], "its messages are new again");
    },
  },
  {
    id: "erasing/siblings",
    title:
      "erase of a list takes every list that begins with it, and leaves siblings, prefix twins and other types",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const family: Json[] = [
        ["u", "1"],
        ["u", "1", "notes"],
        ["u", "1", ""],
        ["u", "1", { b: 1, a: null }],
      ];
      for (const [index, namespace] of [...family, ...strangers].entries())
        await enqueue(outbox, [`m${index}`], { namespace });
      assert.equal(await outbox.erase(["u", "1"]), family.length);
      assert.deepEqual(
        (await lease(outbox, 100)).map(({ namespace }) => namespace),
        strangers,
      );
      assert.equal((await outbox.stats()).claimed, strangers.length);
      for (const namespace of [[1], [1, 2], [10], [1.5], [-1]])
        await enqueue(outbox, [`number ${namespace}`], { namespace });
      assert.equal(await outbox.erase([1]), 2, "10 does not begin with 1");
      for (const [index, namespace] of strangers.entries()) {
        const again = delivery([`m${index + family.length}`], { namespace });
        assert.equal(await outbox.enqueue(again), null, "still claimed");
      }
    },
  },
  {
    id: "erasing/no-list",
    title: "erase of anything but a list takes that alone; [] and what has no JSON are refused",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const namespaces: Json[] = [null, "u", "u1", 1, { a: 1, b: [2] }, { a: 1 }, [], [null]];
      for (const [index, namespace] of namespaces.entries())
        await enqueue(outbox, [`m${index}`], { namespace });
      await assert.rejects(async () => outbox.erase([]), refused("invalid_namespace"));
      await assert.rejects(async () => outbox.erase(Symbol("x") as never), refused("invalid_namespace"));
      assert.equal((await outbox.stats()).pending, namespaces.length);
      for (const gone of [null, "u", { b: [2], a: 1 }]) assert.equal(await outbox.erase(gone), 1);
      assert.deepEqual(
        (await lease(outbox, 100)).map(({ namespace }) => namespace),
        ["u1", 1, { a: 1 }, [], [null]],
      );
    },
  },
  {
    id: "erasing/while-leased",
    title:
      "after an erase the next delivery of the namespace is leased at once, whoever still runs the old one",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["old"]);
      const old = await leaseOne(outbox);
      await outbox.erase(["memories"]);
      await enqueue(outbox, ["new"]);
      const { token, ...next } = await leaseOne(outbox);
      assert.deepEqual(textsOf(next), ["new"]);
      assert.equal(await outbox.fail(old.token, { message: "late" }, "dead"), false);
      assert.equal(await outbox.complete(token), true);
    },
  },
];
