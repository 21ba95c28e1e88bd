export { chooseWindow } from "./choose-window.ts";
export { createSequences, emptySequence, follow, type Sequence } from "./sequence.ts";
export type { WindowChoice, WindowInput, WindowOptions } from "./types.ts";
