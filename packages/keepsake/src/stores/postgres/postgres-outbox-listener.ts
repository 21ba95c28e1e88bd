import { isRecord } from "../../util/index.ts";
import type { PostgresClient, PostgresPool } from "./postgres-driver.ts";

/** A channel for all outboxes of a database; what is sent says which schema and hook. */
export const channel = "keepsake_outbox";
/** How long a message to ourselves may take: behind a pooler it never comes. */
const proofMs = 2_000;
/** How long to wait before the next attempt to listen. */
const againMs = 5_000;

/** A connection with a session of its own, as `pg` has it. */
type SessionClient = Omit<PostgresClient, "on" | "off"> & {
  on(event: "notification", listener: (message: Message) => void): unknown;
  on(event: "error" | "end", listener: (error?: Error) => void): unknown;
  unref?(): void;
};

interface Message {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** Hears what others say on the channel, as long as there is a connection that can. */
export interface Listener {
  /** True while messages are known to arrive. */
  isHeard(): boolean;
  start(): void;
  stop(): Promise<void>;
}

/** What a {@link Listener} needs. */
export interface ListenerConfig {
  readonly connect: () => Promise<PostgresPool>;
  /** Sends a message over another connection. */
  readonly send: (payload: string) => Promise<unknown>;
  readonly receive: (payload: string) => void;
}

/**
 * Listens on a connection of its own. Behind a pooler in transaction mode a session does not last: so it counts as listening once a message to
 * itself, sent over another connection, has arrived; where none does, the connection is given back and polling goes on alone.
 */
export function createListener({ connect, send, receive }: ListenerConfig): Listener {
  let client: SessionClient | undefined;
  let heard = false;
  let stopped = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt: Promise<void> = Promise.resolve();

  const drop = async (): Promise<void> => {
    const dropped = client;
    client = undefined;
    heard = false;
    if (dropped === undefined) return;
    await dropped.query("UNLISTEN *").catch(() => undefined);
    // Not back into the pool: whoever gets it next must not hear what it has subscribed to.
    dropped.release(true);
  };
  const later = (): void => {
    if (stopped) return;
    timer = setTimeout(() => begin(), againMs);
    timer.unref?.();
  };
  const listen = async (): Promise<void> => {
    const taken: unknown = await (await connect()).connect();
    if (!isSession(taken)) throw new Error("The connection cannot listen.");
    client = taken;
    const proven = listenWith(taken, send, receive, () => {
      if (client !== taken) return;
      client = undefined;
      heard = false;
      taken.release(true);
      later();
    });
    heard = (await proven) && client === taken;
    if (!heard) await drop();
  };
  const begin = (): void => {
    attempt = listen().catch(async () => {
      await drop();
      later();
    });
  };
  return {
    isHeard: () => heard,
    start: () => {
      if (!stopped) return;
      stopped = false;
      begin();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await attempt;
      await drop();
    },
  };
}

/** True once a message to ourselves has arrived; false where it does not, or the connection ends. */
async function listenWith(
  client: SessionClient,
  send: (payload: string) => Promise<unknown>,
  receive: (payload: string) => void,
  ended: () => void,
): Promise<boolean> {
  client.unref?.();
  const proof = crypto.randomUUID();
  const proven = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), proofMs).unref?.();
    client.on("notification", (message) => {
      if (message.channel !== channel) return;
      if (message.payload === proof) resolve(true);
      else receive(message.payload ?? "");
    });
    for (const event of ["error", "end"] as const) {
      client.on(event, () => {
        resolve(false);
        ended();
      });
    }
  });
  await client.query(`LISTEN ${channel}`);
  await send(proof);
  return proven;
}

function isSession(client: unknown): client is SessionClient {
  return isRecord(client) && typeof client.on === "function";
}
