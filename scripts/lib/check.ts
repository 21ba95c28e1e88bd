/** What a check found: nothing wrong where `problems` is empty. `note` is shown beside its name. */
export interface CheckResult {
  readonly problems: readonly string[];
  readonly note?: string;
}

/** A check of the repository in the folder `root`. */
export type Check = (root: string) => CheckResult | Promise<CheckResult>;
