export { chooseWindow } from "./choose-window.ts";
export { createSequences, emptySequence, follow, type Sequence } from "./sequence.ts";
export type { WindowChoice, WindowInput, WindowOptions } from "./types.ts";
export {
  type ValidateWindowOptions,
  validateWindow,
  type WindowProvider,
  type WindowViolation,
} from "./validate-window.ts";
export type { WindowRule } from "./window-rules.ts";
