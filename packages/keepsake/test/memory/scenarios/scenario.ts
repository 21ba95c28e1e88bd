import { readdirSync, readFileSync } from "node:fs";

/** A conversation, what a model answers to it, and what is in the store at the end. */
export interface Scenario {
  readonly name: string;
  /** Values in the store before, under the keys `k1`, `k2`, … */
  readonly memories?: readonly Readonly<Record<string, unknown>>[];
  /** Values in namespaces of others. */
  readonly others?: readonly ({ readonly namespace: string[] } & Readonly<Record<string, unknown>>)[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly batches: readonly ScenarioBatch[];
  /** What is in the namespace at the end: as many memories, each as described by one of these. */
  readonly stored: readonly ExpectedMemory[];
  /** Contents of memories through time, the oldest first. */
  readonly history?: readonly (readonly string[])[];
  /** How often events of a type came. */
  readonly events?: Readonly<Record<string, number>>;
  readonly recall?: {
    readonly query: string;
    readonly first?: string;
    readonly rendered?: TextConditions;
  };
}

export interface ScenarioBatch {
  /**
   * `role: text` or `role(name): text`, or messages in OpenAI's format. `{recalled}` stands for what is in the store, rendered;
   * `{recalled-cut}` for the same without its last line. Messages have the ids `b1.1`, `b1.2`, … by batch and place.
   */
  readonly messages: readonly (string | Readonly<Record<string, unknown>>)[];
  /** When they were sent. */
  readonly at?: string;
  readonly deliveryId?: string;
  /** Delivered so often, each time as a delivery of its own. */
  readonly times?: number;
  /** The content of a memory that is forgotten first. */
  readonly forget?: string;
  /**
   * What the model answers, in order, all of it: text or a value; `{ throws }`; `{ hangs: true }`. In values `$f:words` and `$m:words` stand
   * for the labels of the fact and the memory with these words.
   */
  readonly answers: readonly unknown[];
  readonly abortAfterMs?: number;
  /** The code or the words of the error. */
  readonly fails?: string;
  /** What the last prompt must be like. */
  readonly prompt?: TextConditions;
}

export interface TextConditions {
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
  /** Texts that stand in it exactly once. */
  readonly once?: readonly string[];
}

/** Fields of a memory; `key` of its item, `contains` part of its content, `lacks` fields that it must not have. */
export type ExpectedMemory = Readonly<Record<string, unknown>> & { readonly lacks?: readonly string[] };

/** All scenarios of this folder by their kinds. */
export function loadScenarios(): { readonly kind: string; readonly scenarios: readonly Scenario[] }[] {
  const folder = import.meta.dirname;
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")));
}
