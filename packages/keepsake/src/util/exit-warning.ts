/** What is used of Node's `process`; other runtimes have none, or less. */
interface ExitHost {
  on?(event: "exit", listener: () => void): unknown;
  off?(event: "exit", listener: () => void): unknown;
}

const warnings = new Set<() => void>();

function warnAll(): void {
  for (const warning of warnings) warning();
}

/**
 * Calls back when the process exits before the returned function was called. One listener serves all, and only while there is need of
 * it: an import leaves no trace, and what is idle can be collected.
 */
export function warnAtExit(warning: () => void): () => void {
  const { process: host }: { process?: ExitHost } = globalThis;
  if (warnings.size === 0) host?.on?.("exit", warnAll);
  warnings.add(warning);
  return () => {
    warnings.delete(warning);
    if (warnings.size === 0) host?.off?.("exit", warnAll);
  };
}
