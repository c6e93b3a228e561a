/** A batch: how often each program is in it, with all its copies, and the shots of each copy. */
export interface Batch {
  readonly repeats: readonly number[];
  readonly shots: number;
}

/** Limits of a batch. */
export interface BatchLimits {
  readonly minShots: number;
  readonly maxShots: number;
  readonly maxPrograms: number;
  /** Copies of each program. */
  readonly copies: number;
}

/** Returns the sum of numbers. */
export const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Returns the variance that is left when programs have these shots, of that which one shot of each adds. */
export const varianceWith = (variances: readonly number[], shots: readonly number[]): number =>
  total(variances.map((variance, i) => (variance === 0 ? 0 : variance / shots[i]!)));

/**
 * Splits shots between programs so that the variance is least (Neyman): in proportion to the standard deviations, less
 * what is there already.
 */
export function neyman(variances: readonly number[], known: readonly number[], shots: number): number[] {
  const sizes = variances.map(Math.sqrt);
  let open = sizes.map((_, i) => i);
  for (;;) {
    const sum = shots + total(open.map(i => known[i]!));
    const size = total(open.map(i => sizes[i]!));
    const wanted = new Map(open.map(i => [i, size > 0 ? (sum * sizes[i]!) / size : sum / open.length]));
    const short = open.filter(i => wanted.get(i)! > known[i]!);
    if (short.length === open.length || short.length === 0)
      return sizes.map((_, i) => Math.max(0, (wanted.get(i) ?? 0) - known[i]!));
    open = short;
  }
}

/** Repeats of a program that a batch has on average, at most. */
const SHARES = [1, 2, 4];

/**
 * Chooses the batch of at most the given number of shots, all together, that leaves the least variance. All programs of a batch have the
 * same shots, so one that needs more is in it several times.
 */
export function chooseBatch(
  variances: readonly number[],
  known: readonly number[],
  shots: number,
  { minShots, maxShots, maxPrograms, copies }: BatchLimits,
): Batch | undefined {
  const wanted = neyman(variances, known, shots);
  let best: Batch | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const share of SHARES) {
    const each = Math.min(maxShots, Math.floor(shots / (share * variances.length * copies)));
    if (each < minShots) break;
    const repeats = wanted.map(count => Math.floor(count / (each * copies)));
    let left = Math.floor(shots / (each * copies)) - total(repeats);
    const rests = wanted.map((count, i) => [count / (each * copies) - repeats[i]!, i] as const);
    for (const [part, i] of rests.sort((a, b) => b[0] - a[0])) if (left-- > 0 && part > 0) repeats[i]! += 1;
    const programs = total(repeats) * copies;
    if (programs === 0 || programs > maxPrograms) continue;
    const variance = varianceWith(
      variances,
      known.map((count, i) => count + repeats[i]! * each * copies),
    );
    if (variance < least * 0.99) [best, least] = [{ repeats, shots: each }, variance];
  }
  return best;
}
