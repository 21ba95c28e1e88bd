/** Work in lines: one item of a line at a time, in order; several lines side by side. */
export interface Lines<T> {
  add(line: string, item: T): void;
  /** Takes out all that has not been started. */
  clear(): T[];
}

/** Starts at most `concurrency` items at once; a line that had its turn goes behind the others. `work` must not reject. */
export function createLines<T>(concurrency: number, work: (item: T) => Promise<void>): Lines<T> {
  const waiting = new Map<string, T[]>();
  const busy = new Set<string>();

  function startReady(): void {
    for (const [line, items] of waiting) {
      if (busy.size >= concurrency) return;
      if (!busy.has(line)) void start(line, items);
    }
  }

  async function start(line: string, items: T[]): Promise<void> {
    const [item] = items.splice(0, 1);
    if (items.length === 0) waiting.delete(line);
    if (item === undefined) return;
    busy.add(line);
    await work(item);
    busy.delete(line);
    goBehind(line);
    startReady();
  }

  function goBehind(line: string): void {
    const items = waiting.get(line);
    if (items === undefined) return;
    waiting.delete(line);
    waiting.set(line, items);
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
