import { Presets, SingleBar } from "cli-progress";
import type { Surroundings } from "./screen.ts";

/** Shows how far a long work is. */
export interface Progress {
  /** A new phase begins; the bar starts again at 0. */
  phase(label: string, total: number): void;
  /** So much of the phase is done. */
  update(done: number): void;
  /** Removes the bar. */
  stop(): void;
}

/** Shorter work than this has no bar: it would only flicker. */
const patienceMs = 400;
/** How often it is drawn. */
const frameMs = 80;

const silent: Progress = { phase: () => {}, update: () => {}, stop: () => {} };

/** A bar on standard error where that is a terminal and the output is for people; else nothing. */
export function createProgress({ stderr }: Surroundings, json: boolean): Progress {
  if (json || stderr.isTTY !== true || stderr !== process.stderr) return silent;
  const began = Date.now();
  let lastFrame = began;
  let current: { readonly label: string; readonly total: number } | undefined;
  let bar: SingleBar | undefined;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
    current = undefined;
  };
  return {
    phase(label, total) {
      stop();
      if (total > 0) current = { label, total };
    },
    update(done) {
      const now = Date.now();
      if (current === undefined || now - began < patienceMs || now - lastFrame < frameMs) return;
      bar ??= startBar(current.label, current.total);
      bar.update(done);
      lastFrame = now;
    },
    stop,
  };
}

function startBar(label: string, total: number): SingleBar {
  const bar = new SingleBar(barOptions(label), Presets.shades_classic);
  bar.start(total, 0);
  return bar;
}

function barOptions(label: string): ConstructorParameters<typeof SingleBar>[0] {
  return {
    format: `${label.padEnd(8)} {bar} {percentage}%`,
    stream: process.stderr,
    barsize: 40,
    clearOnComplete: true,
    // Its handler for interrupts would only stop the bar, and the work would go on; so the terminal's settings are left alone as well.
    gracefulExit: false,
    hideCursor: false,
    linewrap: true,
  };
}
