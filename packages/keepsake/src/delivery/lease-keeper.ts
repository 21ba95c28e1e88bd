import { KeepsakeError } from "../errors/index.ts";
import { longestMs } from "./bell.ts";
import type { Outbox } from "./outbox.ts";

/** A lease that is kept up while a hook runs. */
export interface LeaseKeeper {
  /** False once the outbox has said that the lease is another's, or its time has passed without an answer. */
  isHeld(): boolean;
  /** Stops renewing. */
  end(): void;
}

/** Renews a lease at every third of its time; calls back once where it is lost. `since`: when it was asked for, by {@link elapsedMs}. */
export function keepLease(
  outbox: Outbox,
  { token, leaseMs, since }: { readonly token: string; readonly leaseMs: number; readonly since: number },
  onLost: (error: KeepsakeError) => void,
): LeaseKeeper {
  let until = since + leaseMs;
  let isLost = false;

  function lose(): void {
    if (isLost) return;
    isLost = true;
    clearInterval(timer);
    onLost(new KeepsakeError("lease_lost", "The lease was lost: the delivery is run again."));
  }

  async function renew(): Promise<void> {
    const asked = elapsedMs();
    try {
      if (await outbox.renew(token, leaseMs)) until = asked + leaseMs;
      else lose();
    } catch {
      // The outbox may be back before the lease is over.
      if (elapsedMs() >= until) lose();
    }
  }

  const timer = setInterval(() => void renew(), Math.min(longestMs, Math.max(1, Math.floor(leaseMs / 3))));
  return {
    isHeld: () => !isLost && elapsedMs() < until,
    end: () => clearInterval(timer),
  };
}

/** Milliseconds by a clock that nobody sets. */
export function elapsedMs(): number {
  return performance.now();
}
