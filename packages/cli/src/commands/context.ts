import type { Progress } from "../output/progress.ts";
import type { Screen, Surroundings } from "../output/screen.ts";

/** What every command is given beside its own arguments. */
export interface CommandContext {
  readonly screen: Screen;
  readonly progress: Progress;
  readonly surroundings: Surroundings;
}

/** The options that every command has. */
export interface CommonOptions {
  /** The database file. */
  readonly db: string;
  readonly json?: boolean;
}
