import { Presets, SingleBar } from "cli-progress";
import type { Surroundings } from "./screen.ts";

/** Shows how far a long work is. */
export interface Progress {
  /** A new phase begins; the bar starts again at 0. */
  phase(label: string, total: number): void;
  /** So much of the phase is done. Resolves after the terminal had its turn, so await it within loops that never wait. */
  update(done: number): Promise<void>;
  /** Removes the bar. */
  stop(): void;
}

/** Below this much work a bar would only flicker. */
const worthABar = 20_000;

const silent: Progress = { phase: () => {}, update: () => Promise.resolve(), stop: () => {} };

/** A bar on standard error where that is a terminal and the output is for people; else nothing. */
export function createProgress(surroundings: Surroundings, json: boolean): Progress {
  const stream = surroundings.stderr;
  if (json || stream.isTTY !== true || stream !== process.stderr) return silent;
  let bar: SingleBar | undefined;
  let lastTurn = Date.now();
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
  };
  return {
    phase(label, total) {
      stop();
      if (total < worthABar) return;
      bar = new SingleBar(barOptions(label), Presets.shades_classic);
      bar.start(total, 0);
    },
    async update(done) {
      if (bar === undefined) return;
      bar.update(done);
      if (Date.now() - lastTurn < 80) return;
      await new Promise((resolve) => setImmediate(resolve));
      lastTurn = Date.now();
    },
    stop,
  };
}

function barOptions(label: string): ConstructorParameters<typeof SingleBar>[0] {
  return {
    format: `${label.padEnd(8)} {bar} {percentage}%`,
    stream: process.stderr,
    barsize: 40,
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
    gracefulExit: true,
  };
}
