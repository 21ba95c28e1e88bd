import assert from "node:assert/strict";
import { KeepsakeError } from "../../errors/index.ts";
import type { Json } from "../../util/index.ts";
import { delivery, enqueue, leaseOne, type OutboxContractRow, workOff } from "./context.ts";

const odd = "\u0000 \ud800 \udfff 😀 \u2028 ' \" \\ % _ $1 é e\u0301 \r\n";

const namespaces: readonly Json[] = [
  null,
  "memories",
  "",
  7,
  true,
  ["memories", "asha"],
  ["a", "b:c"],
  ["a", "b", "c"],
  [odd],
  { user: "asha", org: { id: 1 } },
];

/** What may be in a delivery. */
export const valueRows: readonly OutboxContractRow[] = [
  {
    id: "values/namespaces",
    title: "a namespace is any JSON, told apart by its canonical JSON",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      for (const [index, namespace] of namespaces.entries()) {
        await enqueue(outbox, [`m${index}`], { namespace });
        await enqueue(outbox, [`n${index}`], { namespace });
      }
      const leased = await outbox.lease("remember", { limit: 100, leaseMs: 60_000 });
      assert.deepEqual(
        leased.map(({ namespace }) => namespace),
        namespaces,
      );
      await enqueue(outbox, ["again"], { namespace: { org: { id: 1 }, user: "asha" } });
      assert.deepEqual(
        await outbox.lease("remember", { limit: 100, leaseMs: 60_000 }),
        [],
        "keys in any order",
      );
    },
  },
  {
    id: "values/refused-namespaces",
    title: "a namespace without JSON is refused, and nothing is claimed",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const cycle: unknown[] = [];
      cycle.push(cycle);
      for (const namespace of [undefined, 1n, () => 1, [undefined], new Map(), Number.NaN, cycle]) {
        await assert.rejects(
          async () => outbox.enqueue(delivery(["a"], { namespace: namespace as never })),
          (error) => KeepsakeError.isInstance(error) && error.code === "invalid_namespace",
        );
      }
      assert.equal((await outbox.stats()).claimed, 0);
    },
  },
  {
    id: "values/characters",
    title: "any characters survive in bodies, namespaces, thread ids, identities and errors",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const made = {
        hook: "remember",
        namespace: ["memories", odd],
        threadId: odd,
        messages: [{ identity: odd, body: { [odd]: [odd, null, 1e-7, true, {}] } }],
      };
      assert.ok((await outbox.enqueue(made)) !== null);
      assert.equal(await outbox.enqueue(made), null);
      const leased = await leaseOne(outbox);
      assert.deepEqual(leased.bodies, [made.messages[0]?.body]);
      assert.deepEqual([leased.namespace, leased.threadId], [made.namespace, odd]);
      await outbox.fail(leased.token, { message: odd }, "dead");
      const [letter] = await outbox.deadLetters("remember");
      assert.deepEqual([letter?.error, letter?.threadId, letter?.bodies], [odd, odd, leased.bodies]);
      assert.equal(await outbox.erase(["memories", odd]), 1);
    },
  },
  {
    id: "values/no-thread",
    title: "a delivery without a thread has none; one of an empty thread id has that",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      await enqueue(outbox, ["a"], { threadId: undefined, namespace: 1 });
      await enqueue(outbox, ["b"], { threadId: "", namespace: 2 });
      const leased = await outbox.lease("remember", { limit: 2, leaseMs: 60_000 });
      assert.deepEqual(
        leased.map(({ threadId }) => threadId),
        [undefined, ""],
      );
    },
  },
  {
    id: "values/huge",
    title: "a delivery of megabytes and of thousands of messages comes back whole",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const long = "long text ".repeat(200_000);
      const texts = [long, ...Array.from({ length: 5_000 }, (_, index) => `m${index}`)];
      const messages = texts.map((text, index) => ({ identity: `i${index}`, body: text }));
      await outbox.enqueue(delivery([], { messages }));
      assert.deepEqual((await leaseOne(outbox)).bodies, texts);
      assert.equal((await outbox.stats()).claimed, texts.length);
    },
  },
  {
    id: "values/copies",
    title: "what was enqueued and what is returned may be changed without effect",
    async run({ createOutbox }) {
      const outbox = await createOutbox();
      const body = { role: "user", content: "a" };
      const namespace = ["memories", "asha"];
      await outbox.enqueue(delivery([], { namespace, messages: [{ identity: "a", body }] }));
      body.content = "changed";
      namespace.push("changed");
      const leased = await leaseOne(outbox);
      assert.deepEqual(leased.bodies, [{ role: "user", content: "a" }]);
      assert.deepEqual(leased.namespace, ["memories", "asha"]);
      Object.assign(Object(leased.bodies[0]), { content: "changed" });
      await outbox.fail(leased.token, { message: "down" }, { afterMs: 0 });
      assert.deepEqual(await workOff(outbox), ["a"]);
    },
  },
];
