const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs the tasks of one owner and key one after another, in the order of the calls; others run beside them. */
export async function serially<T>(owner: object, key: string, task: () => Promise<T>): Promise<T> {
  const queue = queues.get(owner) ?? new Map<string, Promise<unknown>>();
  queues.set(owner, queue);
  const running = (queue.get(key) ?? Promise.resolve()).then(task, task);
  queue.set(key, running);
  try {
    return await running;
  } finally {
    if (queue.get(key) === running) queue.delete(key);
  }
}
