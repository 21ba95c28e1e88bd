import type {
  Deliverer,
  DelivererConfig,
  HookContext,
  KeepsakeEvent,
  RememberFn,
  Scope,
} from "../../src/delivery/index.ts";
import { createDeliverer, createReporter } from "../../src/delivery/index.ts";
import type { Logger } from "../../src/util/index.ts";

export interface Message {
  readonly role: string;
  readonly content: string;
  readonly id?: string;
}

export interface Call {
  readonly messages: Message[];
  readonly namespace: unknown;
  readonly context: HookContext;
}

export type Hook = RememberFn<Message, unknown>;

export interface Bench {
  readonly deliverer: Deliverer<Message, unknown>;
  readonly events: KeepsakeEvent[];
  readonly warnings: unknown[][];
}

/** A user message; without an id where none is given. */
export function message(content: string, id?: string): Message {
  return { role: "user", content, ...(id === undefined ? {} : { id }) };
}

/** Messages `m<from>` to `m<to>`, each with its id. */
export function messages(from: number, to: number): Message[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    message(`text ${from + index}`, `m${from + index}`),
  );
}

export const asha: Scope<unknown> = { namespace: ["memories", "asha"], threadId: undefined };

/** A deliverer that keeps its events and warnings. */
export function bench(
  hooks: readonly Hook[],
  {
    logger = undefined,
    onEvent = undefined,
    ...config
  }: Partial<DelivererConfig<Message, unknown>> & {
    logger?: Logger;
    onEvent?: (event: KeepsakeEvent) => void;
  } = {},
): Bench {
  const events: KeepsakeEvent[] = [];
  const warnings: unknown[][] = [];
  const deliverer = createDeliverer<Message, unknown>({
    onPrune: hooks,
    dedupeOnPrune: true,
    dedupeWindow: 10_000,

    reporter: createReporter(
      logger ?? { debug: () => {}, warn: (...details) => warnings.push(details) },
      onEvent ?? ((event) => events.push(event)),
    ),
    ...config,
  });
  return { deliverer, events, warnings };
}

/** A hook that records its calls and then does what `behave` says. */
export function recorder(behave: (call: number) => unknown = () => undefined): { hook: Hook; calls: Call[] } {
  const calls: Call[] = [];
  const hook: Hook = (messages, namespace, context) => {
    calls.push({ messages, namespace, context });
    return behave(calls.length);
  };
  return { hook, calls };
}

/** The ids, or contents where there is no id, of each call. */
export function seen(calls: readonly Call[]): string[][] {
  return calls.map((call) => call.messages.map(({ id, content }) => id ?? content));
}

export interface Gate {
  readonly promise: Promise<void>;
  open(): void;
  fail(error: unknown): void;
}

/** A promise that is settled from outside. */
export function gate(): Gate {
  let open = (): void => {};
  let fail = (_error: unknown): void => {};
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
