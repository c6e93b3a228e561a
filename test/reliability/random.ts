/** Random choices that a seed determines. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  pick<T>(values: readonly T[]): T;
  /** Whether something with this probability happens. */
  chance(probability: number): boolean;
}

/** Makes random choices of a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick: values => values[below(values.length)]!,
    chance: probability => next() < probability,
  };
}
