import type { Awaitable } from "../util/index.ts";

/** One requirement of a contract, as data: no test runner is needed to run it. */
export interface ContractRow<Context, Capability extends string = string> {
  /** Stable, such as `namespaces/prefix-twins`. */
  readonly id: string;
  /** What must hold. */
  readonly title: string;
  /** Only for implementations that can do this. */
  readonly needs?: Capability;
  /** Rejects with an AssertionError where the requirement does not hold. */
  run(context: Context): Promise<void>;
}

/** The two functions of a test runner that are needed; vitest, jest, mocha and `node:test` have them. */
export interface ContractRunner {
  test(title: string, run: () => Promise<void>): unknown;
  /** Called with a title that ends in the reason. */
  skip(title: string): unknown;
}

/** How to run a contract against one implementation. */
export interface ContractSubject<Context> {
  /** Capabilities by name; rows that need another are skipped. */
  readonly capabilities: { readonly [name: string]: boolean };
  /** Makes the context of one row; nothing may be left of other rows. */
  setUp(): Awaitable<Context>;
  tearDown?(context: Context): Awaitable<void>;
}

/**
 * Registers every row of a contract as a test.
 *
 * @example
 * ```ts
 * runContract(storeContract, { capabilities: { keyword: true }, setUp: () => ({ createStore: () => new MyStore() }) }, { test, skip: test.skip });
 * ```
 */
export function runContract<Context>(
  rows: readonly ContractRow<Context>[],
  subject: ContractSubject<Context>,
  runner: ContractRunner,
): void {
  for (const { id, title, needs, run } of rows) {
    if (needs !== undefined && subject.capabilities[needs] !== true) {
      runner.skip(`${id}: ${title} (skipped: not capable of ${needs})`);
      continue;
    }
    runner.test(`${id}: ${title}`, async () => {
      const context = await subject.setUp();
      try {
        await run(context);
      } finally {
        await subject.tearDown?.(context);
      }
    });
  }
}
