/** Counts the members of a list in ascending order that are at most `value`. */
export const countUpTo = (ascending: readonly number[], value: number): number =>
  firstIndexWhere(ascending, each => each > value);

/** Returns the index of the first member for which a condition holds that also holds for all after it; without one, the length. */
export function firstIndexWhere(values: readonly number[], condition: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(values[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
