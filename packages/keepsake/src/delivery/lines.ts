/** Work in lines: one item of a line at a time, in order; several lines side by side. */
export interface Lines<T> {
  add(line: string, item: T): void;
  /** Takes out all that has not been started. */
  clear(): T[];
}

/** Starts at most `concurrency` items at once, from the line that has waited longest. `work` must not reject. */
export function createLines<T>(concurrency: number, work: (item: T) => Promise<void>): Lines<T> {
  const waiting = new Map<string, T[]>();
  const busy = new Set<string>();

  function startReady(): void {
    for (const [line, [item, ...rest]] of waiting) {
      if (busy.size >= concurrency) return;
      if (busy.has(line) || item === undefined) continue;
      waiting.delete(line);
      if (rest.length > 0) waiting.set(line, rest);
      void start(line, item);
    }
  }

  async function start(line: string, item: T): Promise<void> {
    busy.add(line);
    await work(item);
    busy.delete(line);
    startReady();
  }

  return {
    add(line, item) {
      const items = waiting.get(line);
      if (items === undefined) waiting.set(line, [item]);
      else items.push(item);
      startReady();
    },
    clear() {
      const items = [...waiting.values()].flat();
      waiting.clear();
      return items;
    },
  };
}
