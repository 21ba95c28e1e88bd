/** Which indexes of the input stayed and which left. */
export interface Partition {
  readonly survived: readonly number[];
  readonly pruned: readonly number[];
}

/**
 * Matches survivors and pruned messages with the indexes of the input: each index exactly once, the same objects, both
 * in order. `undefined` where that is impossible. Where one object occurs several times its later places survive.
 */
export function partitionOf(
  input: readonly unknown[],
  surviving: readonly unknown[],
  pruned: readonly unknown[],
): Partition | undefined {
  if (surviving.length + pruned.length !== input.length) return undefined;
  return new Set(input).size === input.length
    ? partitionOfDistinct(input, surviving, pruned)
    : partitionOfRepeated(input, surviving, pruned);
}

function partitionOfDistinct(
  input: readonly unknown[],
  surviving: readonly unknown[],
  pruned: readonly unknown[],
): Partition | undefined {
  const partition = { survived: [] as number[], pruned: [] as number[] };
  for (let index = 0; index < input.length; index++) {
    if (isNext(surviving, partition.survived, input[index])) partition.survived.push(index);
    else if (isNext(pruned, partition.pruned, input[index])) partition.pruned.push(index);
    else return undefined;
  }
  return partition;
}

function isNext(list: readonly unknown[], taken: readonly number[], message: unknown): boolean {
  return taken.length < list.length && Object.is(list[taken.length], message);
}

function partitionOfRepeated(
  input: readonly unknown[],
  surviving: readonly unknown[],
  pruned: readonly unknown[],
): Partition | undefined {
  const impossible = new Set<number>();
  const survived: number[] = [];
  const left: number[] = [];
  const place = (index: number, kept: number): boolean => {
    if (index < 0) return true;
    const key = index * (input.length + 1) + kept;
    if (impossible.has(key)) return false;
    if (kept > 0 && Object.is(surviving[kept - 1], input[index]) && place(index - 1, kept - 1)) {
      survived.push(index);
      return true;
    }
    const gone = index + 1 - kept;
    if (gone > 0 && Object.is(pruned[gone - 1], input[index]) && place(index - 1, kept)) {
      left.push(index);
      return true;
    }
    impossible.add(key);
    return false;
  };
  return place(input.length - 1, surviving.length) ? { survived, pruned: left } : undefined;
}
