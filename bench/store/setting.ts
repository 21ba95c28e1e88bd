import type { SqliteDriverName } from "keepsake/sqlite";
import type { IndexConfig } from "keepsake/store";
import { wordVectors } from "./word-vectors.ts";

/** Where and how a part of the bench runs. */
export interface Setting {
  /** For its files; emptied afterwards. */
  readonly folder: string;
  readonly driver: SqliteDriverName;
  progress(text: string): void;
}

/** An index by words and by vectors of so many numbers. */
export function vectorIndex(dims: number): IndexConfig {
  return { embed: wordVectors(dims), fields: ["content"] };
}
