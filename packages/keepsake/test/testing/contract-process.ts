// Run as a child process: node --import tsx contract-process.ts <store as JSON> <job as JSON>
import { writeSync } from "node:fs";
import { type ContractJob, runContractJob } from "../../src/testing/index.ts";
import { openTarget, type StoreTarget } from "./store-target.ts";

const [target = "", job = ""] = process.argv.slice(2);
// Nobody waits any longer where the parent has ended.
process.stdin.on("end", () => process.exit(1));
writeSync(1, "r");
await new Promise((resolve) => process.stdin.once("data", resolve));
const store = await openTarget(JSON.parse(target) as StoreTarget);
// Written before the next step begins: what was not acknowledged is never counted as such.
await runContractJob(store, JSON.parse(job) as ContractJob, () => writeSync(1, "."));
await store.close();
process.exit(0);
