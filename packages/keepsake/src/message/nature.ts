/** What a format says of where a message may stand. */
export interface Nature {
  /** A reasoning item: it goes with the items of the same answer that follow it. */
  readonly binds?: boolean;
  /** One of the items that an assistant's answer consists of: OpenAI's Responses and Agents. */
  readonly item?: boolean;
  /** Pinned by the format's own mark. */
  readonly pinned?: boolean;
  /** The ids of its calls must be unlike those of every other message. */
  readonly uniqueCalls?: boolean;
  /** Calls that later messages may answer, or leave: the provider runs them, once they are approved. */
  readonly offers?: readonly string[];
  /** The id of the call from within which its calls are made, by a program that the provider runs. */
  readonly caller?: string;
  /** The names of its calls by their ids, where these may be made up: Gemini's, and listed calls without one. */
  readonly names?: ReadonlyMap<string, string>;
}

/** A property that a host may change in place. */
export interface PendingPart {
  readonly part: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly value: unknown;
}
