const maxNumbers = 1_000_000;

/**
 * Numbers at equal distances, both ends among them: `linspace(0, 1, 5)` is 0, 0.25, 0.5, 0.75, 1.
 *
 * @param count - How many; from 0 to 1,000,000.
 * Throws a `RangeError` for ends that are not numbers, and for an invalid count.
 */
export function linspace(from: number, to: number, count: number): number[] {
  if (!Number.isFinite(from) || !Number.isFinite(to))
    throw new RangeError(`linspace(${from}, ${to}): both ends must be finite numbers.`);
  if (!Number.isSafeInteger(count) || count < 0 || count > maxNumbers)
    throw new RangeError(`linspace: the count must be a whole number, 0 to ${maxNumbers}, not ${count}.`);
  return Array.from({ length: count }, (_, index) => {
    const share = count > 1 ? index / (count - 1) : 0;
    return from * (1 - share) + to * share;
  });
}
