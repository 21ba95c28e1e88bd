/** What a hook is told of the delivery at hand. */
export interface HookContext {
  /** The same for every attempt of this delivery; another for every other delivery. */
  readonly deliveryId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly threadId: string | undefined;
  /** Aborted when `hookTimeoutMs` has passed. */
  readonly signal: AbortSignal;
}

/** A hook: called with the pruned messages, the app's namespace, and the context of the delivery. */
export type RememberFn<M, N = string[]> = (pruned: M[], namespace: N, context: HookContext) => unknown;

/** What the reducer and the delivery report. */
export type KeepsakeEvent =
  | {
      readonly type: "pruned";
      readonly count: number;
      readonly namespace: unknown;
      readonly threadId: string | undefined;
    }
  | (DeliveryEvent & { readonly type: "delivered" })
  | (DeliveryEvent & { readonly type: "failed"; readonly error: unknown })
  | (DeliveryEvent & { readonly type: "retried" })
  | (DeliveryEvent & { readonly type: "dropped" })
  | {
      readonly type: "summarised";
      readonly count: number;
      readonly summary: string;
      readonly namespace: unknown;
      readonly threadId: string | undefined;
    }
  | {
      readonly type: "summary_failed";
      readonly error: unknown;
      readonly namespace: unknown;
      readonly threadId: string | undefined;
    }
  | {
      readonly type: "truncated";
      readonly count: number;
      readonly namespace: unknown;
      readonly threadId: string | undefined;
    }
  | {
      readonly type: "over_budget";
      readonly messages: number;
      readonly tokens: number | undefined;
      readonly namespace: unknown;
      readonly threadId: string | undefined;
    };

/** The part that the events of a delivery share. */
export interface DeliveryEvent {
  readonly deliveryId: string;
  /** The hook's place in `onPrune`, from 0. */
  readonly hook: number;
  readonly attempt: number;
  readonly count: number;
  readonly namespace: unknown;
  readonly threadId: string | undefined;
}

/** Tells the app what happens. Nothing that the app does with it breaks the hand-over. */
export interface Reporter {
  emit(event: KeepsakeEvent): void;
  warn(message: string, ...details: unknown[]): void;
  /** The same, the first time for each topic. */
  warnOnce(topic: string, message: string, ...details: unknown[]): void;
}

/** Whose messages these are: namespace and thread. */
export interface Scope<N> {
  /** Forwarded to the hooks untouched. */
  readonly namespace: N | null;
  readonly threadId: string | undefined;
}

/** What {@link createDeliverer} needs. */
export interface DelivererConfig<M, N> {
  readonly onPrune: readonly RememberFn<M, N>[];
  /** Deliver each identity once per hook. */
  readonly dedupeOnPrune: boolean;
  /** Identities remembered per hook and scope. */
  readonly dedupeWindow: number;
  /** At most 2 147 483 647, the longest delay that timers keep. */
  readonly hookTimeoutMs?: number | undefined;
  readonly redact?: ((message: M) => M) | undefined;
  readonly reporter: Reporter;
}

/** The id part of the identity of the message at a place of a list. */
export type IdAt = (index: number) => string | undefined;

/** How a hand-over ended. */
export interface DeliveryOutcome {
  /** False where a hook has not taken a delivery that holds one of the messages. */
  readonly taken: boolean;
  /** False where a durable hook has not: what it holds must not leave the window. */
  readonly committed: boolean;
}

/** Hands messages to hooks, once each, and offers again what was not taken. */
export interface Deliverer<M, N> {
  /**
   * Offers the namespace's failed deliveries again, of all its threads, then what is new among `messages`. Never throws. `idAt` gives the id
   * part of the identity of the message at a place, by default the message's id; `undefined` or empty: always delivered. It must not throw.
   */
  deliver(messages: readonly M[], scope: Scope<N>, idAt?: IdAt): Promise<DeliveryOutcome>;
  /**
   * The same without awaiting: durable hooks commit at once, the others are started one after another, tracked, and awaited by `flush`.
   * Never throws.
   */
  deliverSync(messages: readonly M[], scope: Scope<N>, idAt?: IdAt): DeliveryOutcome;
  /** Awaits what `deliverSync` started, then offers every failed delivery again, once. */
  flush(): Promise<void>;
}
