/**
 * What a hook returns, or resolves to, to say that it has not taken the delivery: it is offered again, and nothing is logged.
 *
 * Two copies of keepsake in one process agree on it.
 *
 * @example
 * ```ts
 * const hook = async (pruned) => (await queue.offer(pruned)) ? undefined : notTaken;
 * ```
 */
export const notTaken: unique symbol = Symbol.for("keepsake.notTaken") as never;
