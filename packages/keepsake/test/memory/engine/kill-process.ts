// Run as a child process: node kill-process.mjs <path> <seed> <batches> <first delivery>
import { writeSync } from "node:fs";
import { MemoryEngine } from "../../../src/memory/engine/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import { batchOf, deliveries, namespace, textOf } from "./kill-deliveries.ts";

const [path = "", seed = "0", batches = "0", first = "0"] = process.argv.slice(2);
// Nobody kills the process any more where the parent has ended.
process.stdin.on("end", () => process.exit(1));
process.stdin.resume();

const store = new SqliteStore(path);
const engine = new MemoryEngine({
  store,
  // In other words each time, as models do: what is extracted twice is stored twice, unless the plan is kept.
  extractor: ([said]) => {
    const batch = batchOf(said?.text ?? "");
    const facts = [1, 2, 3].map((fact) => `batch ${batch} fact ${fact} wording ${Math.random()}`);
    const tally = {
      kind: "Tally",
      subject: "everyone",
      attribute: "tally",
      content: { label: "tally", [`b${batch}`]: 1 },
    };
    return [...facts, tally];
  },
  consolidator: (proposals) =>
    proposals.flatMap(({ fact, nearest }, index) =>
      fact.kind === "Tally" ? [{ fact: index, action: "update" as const, target: nearest[0]?.key }] : [],
    ),
});
writeSync(1, "r");
const order = deliveries(Number(seed), Number(batches));
for (let index = Number(first); index < order.length; index += 1) {
  const batch = order[index] ?? 0;
  await engine.remember(textOf(batch), namespace, { deliveryId: `delivery ${batch}` });
  writeSync(1, ".");
}
await store.close();
process.exit(0);
