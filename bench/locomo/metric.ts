/** What a search for one question gave. */
export interface Answer {
  readonly category: number;
  /** Ids of the turns that hold the evidence. */
  readonly evidence: readonly string[];
  /** Ids of the turns found, best first. */
  readonly found: readonly string[];
  /** Characters of each result, as JSON. */
  readonly characters: readonly number[];
  readonly searchMs: number;
}

/** Recall in per cent: the mean fraction of the evidence among the first k results, and the share of questions with any of it there. */
export interface Recall {
  readonly questions: number;
  readonly at5: number;
  readonly at10: number;
  readonly at20: number;
  readonly anyAt10: number;
}

/** The figures of one run. */
export interface Figures {
  readonly overall: Recall;
  readonly categories: Readonly<Record<string, Recall>>;
  /** Of the first ten results of each question. */
  readonly charactersPerResult: { readonly mean: number; readonly max: number };
  readonly searchMs: { readonly p50: number; readonly p95: number };
}

/** Fraction of the evidence among the first `k` found. */
export function fractionFound({ evidence, found }: Pick<Answer, "evidence" | "found">, k: number): number {
  const first = new Set(found.slice(0, k));
  return evidence.filter((id) => first.has(id)).length / evidence.length;
}

/** Sums up a run. */
export function figuresOf(answers: readonly Answer[]): Figures {
  const categories = [...new Set(answers.map(({ category }) => category))].sort(
    (left, right) => left - right,
  );
  const characters = answers.flatMap((answer) => answer.characters.slice(0, 10));
  const times = answers.map(({ searchMs }) => searchMs);
  return {
    overall: recallOf(answers),
    categories: Object.fromEntries(
      categories.map((category) => [
        category,
        recallOf(answers.filter((answer) => answer.category === category)),
      ]),
    ),
    charactersPerResult: {
      mean: mean(characters),
      max: characters.reduce((most, one) => Math.max(most, one), 0),
    },
    searchMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
  };
}

function recallOf(answers: readonly Answer[]): Recall {
  const at = (k: number): number => 100 * mean(answers.map((answer) => fractionFound(answer, k)));
  const any = answers.filter((answer) => fractionFound(answer, 10) > 0).length;
  return {
    questions: answers.length,
    at5: at(5),
    at10: at(10),
    at20: at(20),
    anyAt10: (100 * any) / Math.max(1, answers.length),
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Nearest rank: the smallest value that at least `share` of the numbers do not exceed. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
