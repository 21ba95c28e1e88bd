import { estimateTokens } from "keepsake";
import { dialogueKind, repositoryKinds } from "./repository.ts";
import { type TextKind, textKinds } from "./texts.ts";

/** Counts exactly: what the estimate is compared with. */
export type Count = (text: string) => number;

/** How far the estimate is off at one length, over several texts: 1.1 is a tenth too many. */
export interface Accuracy {
  readonly length: number;
  readonly texts: number;
  readonly lowest: number;
  readonly highest: number;
}

/** The estimate beside the tokeniser on texts of one kind and length, in megabytes of UTF-8 per second. */
export interface Speed {
  readonly length: number;
  readonly estimate: number;
  readonly tokenizer: number;
  readonly times: number;
}

/** What was measured on one kind of text. */
export interface Row {
  readonly name: string;
  readonly tolerance: number;
  readonly isNatural: boolean;
  readonly accuracy: readonly Accuracy[];
  readonly speed: readonly Speed[];
}

const ACCURACY_LENGTHS = [
  { length: 1_000, texts: 50 },
  { length: 10_000, texts: 20 },
  { length: 100_000, texts: 5 },
  { length: 1_000_000, texts: 1 },
];
const SPEED_LENGTHS = [1_000, 100_000];
const ROUNDS = 9;
const SAMPLE_MS = 15;

/** Every kind of text, and the dialogues where they are given. */
export function measure(
  count: Count,
  dialogues: string | undefined,
  progress: (name: string) => void,
): Row[] {
  const spoken = dialogues === undefined ? [] : [dialogueKind(dialogues)];
  const kinds = [...textKinds, ...repositoryKinds(), ...spoken];
  return kinds.map((kind) => {
    progress(kind.name);
    const { name, tolerance, isNatural = false } = kind;
    return { name, tolerance, isNatural, accuracy: accuracyOf(kind, count), speed: speedOf(kind, count) };
  });
}

function accuracyOf({ make }: TextKind, count: Count): Accuracy[] {
  return ACCURACY_LENGTHS.map(({ length, texts }) => {
    const ratios = Array.from({ length: texts }, (_, index) => {
      const text = make(length, index + 1);
      return estimateTokens(text) / count(text);
    });
    return { length, texts, lowest: Math.min(...ratios), highest: Math.max(...ratios) };
  });
}

function speedOf({ make }: TextKind, count: Count): Speed[] {
  return SPEED_LENGTHS.map((length) => {
    const text = make(length, 1);
    const megabytes = Buffer.byteLength(text) / 1e6;
    const [estimateMs, tokenizerMs] = medianMs([() => estimateTokens(text), () => count(text)]);
    const perSecond = (ms: number): number => (megabytes / ms) * 1000;
    return {
      length,
      estimate: perSecond(estimateMs),
      tokenizer: perSecond(tokenizerMs),
      times: tokenizerMs / estimateMs,
    };
  });
}

/** The median CPU time of each of two works, in interleaved rounds; a sample repeats the work for some milliseconds. */
function medianMs(works: readonly [() => unknown, () => unknown]): [number, number] {
  const repeats = works.map((work) => {
    let times = 1;
    while (sampleMs(work, times) * times < SAMPLE_MS) times *= 2;
    return times;
  });
  const samples: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const index of [0, 1] as const) samples[index].push(sampleMs(works[index], repeats[index] ?? 1));
  const median = (values: number[]): number =>
    values.sort((one, other) => one - other)[values.length >> 1] ?? 0;
  return [median(samples[0]), median(samples[1])];
}

function sampleMs(work: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index += 1) work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(user + system, 1) / 1000 / times;
}
