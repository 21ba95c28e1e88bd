/** Sub-paths that need nothing installed beside keepsake. Every one of the export map is here or among {@link adapters}. */
export const standalone: readonly string[] = [
  ".",
  "./memory",
  "./postgres",
  "./sqlite",
  "./store",
  "./testing",
  "./tokens",
  "./tools",
];

/** A sub-path that constructs classes of its host on import, and what has to be installed for it, alone. */
export interface Adapter {
  readonly path: string;
  readonly host: readonly string[];
}

/** The adapters. Each is imported with its host alone. */
export const adapters: readonly Adapter[] = [
  { path: "./langgraph", host: ["@langchain/core@1.4.0", "@langchain/langgraph@1.7.3"] },
];
