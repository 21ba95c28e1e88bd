import { durable } from "keepsake";
import { SqliteOutbox, type SqliteOutboxConfig } from "keepsake/sqlite";

/** How fast a worker with a hook that does nothing works off what waits. */
export interface DrainFigures {
  readonly deliveries: number;
  readonly settings: readonly {
    readonly namespaces: number;
    readonly concurrency: number;
    readonly perSecond: number;
  }[];
}

/** Fills an outbox, and drains it. */
export async function measureDrain(
  path: (name: string) => string,
  { driver, deliveries }: { readonly driver: SqliteOutboxConfig["driver"]; readonly deliveries: number },
): Promise<DrainFigures> {
  const settings: DrainFigures["settings"][number][] = [];
  for (const namespaces of [1, 1_000]) {
    for (const concurrency of [2, 16]) {
      const outbox = new SqliteOutbox(path(`drain-${namespaces}-${concurrency}`), {
        driver,
        synchronous: "normal",
      });
      for (let index = 0; index < deliveries; index += 1) {
        await outbox.enqueue({
          hook: "drain",
          namespace: ["memories", `u${index % namespaces}`],
          threadId: undefined,
          messages: [{ identity: `m${index}`, body: { role: "user", content: "what was said" } }],
        });
      }
      const hook = durable(() => undefined, { name: "drain", outbox, concurrency });
      const begun = performance.now();
      const { delivered } = await hook.drain();
      const seconds = (performance.now() - begun) / 1000;
      if (delivered !== deliveries) throw new Error(`${delivered} of ${deliveries} were delivered.`);
      settings.push({ namespaces, concurrency, perSecond: deliveries / seconds });
      await outbox.close();
    }
  }
  return { deliveries, settings };
}
