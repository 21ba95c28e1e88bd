import { describe, test } from "vitest";
import { runContract, storeContract } from "../../src/testing/index.ts";
import { sqliteSubject } from "../testing/sqlite-subject.ts";
import { drivers } from "./drivers.ts";

for (const { name, missing } of drivers) {
  describe(`SqliteStore with ${name}`, () => {
    if (missing !== undefined) {
      test.skip(`the store contract (skipped: ${missing})`, () => undefined);
      return;
    }
    runContract(storeContract, sqliteSubject(name), {
      test,
      skip: (title) => test.skip(title, () => undefined),
    });
  });
}
