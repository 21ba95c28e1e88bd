import { memoryNamespace } from "../../checkpoint/index.ts";
import { namespaceLabels, namespaceTemplate, placeholderValues } from "../../store/index.ts";
import type { ToolRun } from "../../tools/index.ts";
import { isRecord, type OptionKind } from "../../util/index.ts";

/** Whose memories these are. */
export interface NamespaceOptions {
  /**
   * Labels or a scope path, with `{placeholders}` filled from the run's `configurable`, then its `context`. Default: that of
   * {@link memoryNamespace}, as a saver's.
   */
  readonly namespace?: string | readonly string[] | undefined;
  /** The key of `configurable` that the default looks up. Default `"memory_namespace"`, as a reducer's. */
  readonly namespaceKey?: string | undefined;
}

/** The namespace of runs, as {@link NamespaceOptions} say. */
export interface RunNamespace {
  /** As the memory tools take it. */
  readonly template: string | readonly string[];
  /** The run with what fills the template; the same run where nobody knows whose memory it is. */
  fill(run: ToolRun): ToolRun;
  /**
   * The labels of a run; `null` by default where the run has neither a namespace nor a thread.
   *
   * @throws {KeepsakeError} `missing_namespace_value` for what cannot be a label, or a placeholder without a value; `invalid_namespace`
   */
  labels(run: ToolRun): string[] | null;
}

/** The kinds of {@link NamespaceOptions}, to be checked. */
export const namespaceKinds: Readonly<Record<keyof NamespaceOptions, OptionKind>> = {
  namespace: [
    'a string or an array of strings, such as ["memories", "{userId}"]',
    (value) => typeof value === "string" || Array.isArray(value),
  ],
  namespaceKey: ["a string that is not empty", (value) => typeof value === "string" && value !== ""],
};

/**
 * One rule for whose memory a run reads and writes: of savers, tools, recall node and middleware.
 *
 * @throws {KeepsakeError} invalid_config
 */
export function runNamespace({
  namespace,
  namespaceKey = "memory_namespace",
}: NamespaceOptions): RunNamespace {
  const template = namespace ?? [`{${namespaceKey}}`];
  const { fill: fillTemplate } = namespaceTemplate(template);

  function filled(run: ToolRun): ToolRun | null {
    if (namespace !== undefined) return run;
    const configurable = isRecord(run.configurable) ? run.configurable : {};
    const found = memoryNamespace<unknown>({ namespaceKey }, { configurable });
    if (found === null) return null;
    const labels = typeof found === "string" ? namespaceLabels(found) : found;
    return { ...run, configurable: { ...configurable, [namespaceKey]: labels } };
  }

  return {
    template,
    fill: (run) => filled(run) ?? run,
    labels(run) {
      const ready = filled(run);
      if (ready === null) return null;
      return fillTemplate(placeholderValues(ready));
    },
  };
}
