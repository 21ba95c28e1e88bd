import { durable, MessageReducer, type RememberFn } from "keepsake";
import { SqliteOutbox, type SqliteOutboxConfig } from "keepsake/sqlite";
import { type Spread, spreadOf } from "./spread.ts";

/** What a reduce takes that prunes ten messages. */
export interface ReduceFigures {
  readonly reduces: number;
  readonly inline: Spread;
  /** By the outbox's `synchronous`. */
  readonly full: Spread;
  readonly normal: Spread;
}

interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Reduces that prune, with hooks by turns, so that all of them see the same machine. */
export async function measureReduce(
  path: (name: string) => string,
  { driver, reduces }: { readonly driver: SqliteOutboxConfig["driver"]; readonly reduces: number },
): Promise<ReduceFigures> {
  const outboxes = {
    full: new SqliteOutbox(path("full"), { driver, synchronous: "full" }),
    normal: new SqliteOutbox(path("normal"), { driver, synchronous: "normal" }),
  };
  const hooks: Record<"inline" | "full" | "normal", RememberFn<Message>> = {
    inline: () => undefined,
    full: durable(() => undefined, { name: "full", outbox: outboxes.full }),
    normal: durable(() => undefined, { name: "normal", outbox: outboxes.normal }),
  };
  const times = { inline: [] as number[], full: [] as number[], normal: [] as number[] };
  const reducers = Object.entries(hooks).map(([name, hook]) => ({
    times: times[name as keyof typeof times],
    reducer: new MessageReducer<Message>({ minMessages: 10, maxMessages: 19, onPrune: [hook] }),
  }));
  for (let turn = 0; turn < reduces; turn += 1) {
    for (const { times: taken, reducer } of reducers) {
      const messages = messagesOf(turn);
      const threadId = `t${turn % 50}`;
      const begun = performance.now();
      await reducer.reduce({ existing: messages, namespace: ["memories", `u${turn % 50}`], threadId });
      taken.push(performance.now() - begun);
    }
  }
  for (const outbox of Object.values(outboxes)) await outbox.close();
  return {
    reduces,
    inline: spreadOf(times.inline),
    full: spreadOf(times.full),
    normal: spreadOf(times.normal),
  };
}

function messagesOf(turn: number): Message[] {
  return Array.from({ length: 20 }, (_, index) => ({
    id: `m${turn}-${index}`,
    role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `${turn}.${index} ${"what was said in a turn of ordinary length ".repeat(5)}`,
  }));
}
