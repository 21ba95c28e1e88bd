import type { SearchItem } from "keepsake/store";
import type { DemoMessage, DemoTurn } from "./conversation.ts";
import type { ScriptedQuestion } from "./script.ts";

/** A turn, and what the reducer made of it. */
export interface DemoStep {
  readonly turn: DemoTurn;
  readonly window: readonly DemoMessage[];
  readonly left: readonly DemoMessage[];
  /** Items in the namespace after the turn. */
  readonly stored: number;
}

/** A question of the new thread, and what the store had to say. */
export interface DemoAnswer extends ScriptedQuestion {
  readonly found: SearchItem | undefined;
  /** The answer is in the turn that was found, and nowhere in the window. */
  readonly isAnswered: boolean;
}

/** What the demo claims at its end. */
export interface DemoCounts {
  readonly produced: number;
  readonly inWindow: number;
  readonly deliveredOnce: number;
  readonly stored: number;
}
