// Run by pipeline.test.ts in a process of its own: delivers 50 turns of one thread, one by one, to the file named.
import { rememberVerbatim } from "../../../src/memory/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import { deliver } from "./harness.ts";

const [, , path = "", name = ""] = process.argv;
const store = new SqliteStore(path);
const hook = rememberVerbatim(store);
for (let turn = 0; turn < 50; turn += 1)
  await deliver(hook, [{ id: `${name}${turn}`, role: "user", content: `${name} turn ${turn}` }], {
    threadId: "trip",
  });
await store.close();
