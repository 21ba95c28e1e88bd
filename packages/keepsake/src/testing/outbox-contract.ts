import { claimRows } from "./outbox/claims.ts";
import type { OutboxContractRow } from "./outbox/context.ts";
import { erasingRows } from "./outbox/erasing.ts";
import { leaseRows } from "./outbox/leases.ts";
import { letterRows } from "./outbox/letters.ts";
import { lifeRows } from "./outbox/life.ts";
import { orderRows } from "./outbox/order.ts";
import { valueRows } from "./outbox/values.ts";

/**
 * What every outbox must do, to be run with {@link runContract} against anyone's outbox.
 *
 * @example
 * ```ts
 * import { describe, test } from "vitest";
 * describe("MyOutbox", () => {
 *   let now = Date.now();
 *   const setUp = () => ({
 *     createOutbox: (config) => new MyOutbox({ ...config, now: () => now }),
 *     advance: (byMs) => void (now += byMs),
 *   });
 *   runContract(outboxContract, { capabilities: { clock: true }, setUp }, { test, skip: test.skip });
 * });
 * ```
 */
export const outboxContract: readonly OutboxContractRow[] = [
  ...claimRows,
  ...orderRows,
  ...leaseRows,
  ...letterRows,
  ...erasingRows,
  ...valueRows,
  ...lifeRows,
];
