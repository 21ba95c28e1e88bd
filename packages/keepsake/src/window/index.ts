export { chooseWindow } from "./choose-window.ts";
export type { WindowChoice, WindowInput, WindowOptions } from "./types.ts";
