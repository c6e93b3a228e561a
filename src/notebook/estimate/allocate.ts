/** A batch: how often each program is in it, and the shots of each. */
export interface Batch {
  readonly repeats: readonly number[];
  readonly shots: number;
}

/** Limits of a batch. */
export interface BatchLimits {
  readonly minShots: number;
  readonly maxShots: number;
  readonly maxPrograms: number;
}

/** Returns the shots of a batch, all programs together. */
export const shotsOf = ({ repeats, shots }: Batch): number => shots * programsOf({ repeats, shots });

/** Returns the programs of a batch, each repeat counted. */
export const programsOf = ({ repeats }: Batch): number => repeats.reduce((sum, count) => sum + count, 0);

/** Returns the variance that is left when programs have these shots, of that which one shot of each adds. */
export const varianceWith = (variances: readonly number[], shots: readonly number[]): number =>
  variances.reduce((sum, variance, i) => sum + (variance === 0 ? 0 : variance / shots[i]!), 0);

/**
 * Splits shots between programs so that the variance is least (Neyman): in proportion to the standard deviations, less
 * what is there already.
 */
export function neyman(variances: readonly number[], known: readonly number[], shots: number): number[] {
  const sizes = variances.map(Math.sqrt);
  let open = sizes.map((_, i) => i);
  for (;;) {
    const total = shots + open.reduce((sum, i) => sum + known[i]!, 0);
    const size = open.reduce((sum, i) => sum + sizes[i]!, 0);
    const wanted = new Map(open.map(i => [i, size > 0 ? (total * sizes[i]!) / size : total / open.length]));
    const short = open.filter(i => wanted.get(i)! > known[i]!);
    if (short.length === open.length || short.length === 0)
      return sizes.map((_, i) => Math.max(0, (wanted.get(i) ?? 0) - known[i]!));
    open = short;
  }
}

/** Repeats of a program that a batch has on average, at most. */
const SHARES = [1, 2, 4, 8, 16];

/**
 * Chooses the batch of at most so many shots, all together, that leaves the least variance. All programs of a batch have the
 * same shots, so one that needs more is in it several times. `floors` are shots that programs get first, where they fit.
 */
export function chooseBatch(
  variances: readonly number[],
  known: readonly number[],
  shots: number,
  limits: BatchLimits,
  floors: readonly number[] = variances.map(() => 0),
): Batch | undefined {
  const lacks = floors.map((floor, i) => Math.max(0, floor - known[i]!));
  const first = Math.min(
    1,
    shots /
      Math.max(
        1,
        lacks.reduce((sum, lack) => sum + lack, 0),
      ),
  );
  const given = lacks.map(lack => lack * first);
  const rest = Math.max(0, shots - given.reduce((sum, lack) => sum + lack, 0));
  const more = neyman(
    variances,
    known.map((count, i) => count + given[i]!),
    rest,
  );
  const wanted = more.map((count, i) => count + given[i]!);
  let best: Batch | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const share of SHARES) {
    const each = Math.min(limits.maxShots, Math.floor(shots / (share * variances.length)));
    if (each < limits.minShots) break;
    const repeats = wanted.map(count => Math.floor(count / each));
    let left = Math.floor(shots / each) - repeats.reduce((sum, count) => sum + count, 0);
    const rests = wanted.map((count, i) => [count / each - repeats[i]!, i] as const);
    for (const [part, i] of rests.sort((a, b) => b[0] - a[0])) if (left-- > 0 && part > 0) repeats[i]! += 1;
    const batch = { repeats, shots: each };
    const programs = programsOf(batch);
    if (programs === 0 || programs > limits.maxPrograms) continue;
    const variance = varianceWith(
      variances,
      known.map((count, i) => count + repeats[i]! * each),
    );
    if (variance < least * 0.99) [best, least] = [batch, variance];
  }
  return best;
}
