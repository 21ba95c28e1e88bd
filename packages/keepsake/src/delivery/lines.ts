/** Work in lines: one item of a line at a time, in order; several lines side by side. */
export interface Lines<T> {
  add(line: string, item: T): void;
  /** Takes out all that has not been started. */
  clear(): T[];
}

/** Starts at most `concurrency` items at once; a line that had its turn goes behind the others. `work` must not reject. */
export function createLines<T>(concurrency: number, work: (item: T) => Promise<void>): Lines<T> {
  /** Lines that nothing runs of, in the order of their turns. */
  const ready = new Map<string, T[]>();
  const busy = new Map<string, T[]>();

  function startReady(): void {
    for (const [line, items] of ready) if (busy.size < concurrency) void start(line, items);
  }

  async function start(line: string, items: T[]): Promise<void> {
    ready.delete(line);
    busy.set(line, items);
    for (const item of items.splice(0, 1)) await work(item);
    busy.delete(line);
    if (items.length > 0) ready.set(line, items);
    startReady();
  }

  return {
    add(line, item) {
      const items = busy.get(line) ?? ready.get(line);
      if (items === undefined) ready.set(line, [item]);
      else items.push(item);
      startReady();
    },
    clear: () => [...busy.values(), ...ready.values()].flatMap((items) => items.splice(0)),
  };
}
