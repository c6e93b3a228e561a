/**
 * Whether counts are too far from a distribution to be drawn from it. For a right simulator that happens at most
 * once in 10^9 calls, by the bound of Laurent and Massart on the tail of a chi-square variable. Outcomes that are
 * expected less than five times are taken together.
 */
export function contradicts(
  counts: Readonly<Record<string, number>>,
  probabilities: Readonly<Record<string, number>>,
): boolean {
  const shots = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (Object.keys(counts).some(key => !(probabilities[key]! > 1e-12))) return true;
  const bins: [count: number, expected: number][] = [];
  const rare: [count: number, expected: number] = [0, 0];
  for (const [key, probability] of Object.entries(probabilities)) {
    const bin: [number, number] = [counts[key] ?? 0, probability * shots];
    if (bin[1] >= 5) bins.push(bin);
    else {
      rare[0] += bin[0];
      rare[1] += bin[1];
    }
  }
  if (rare[1] >= 5) bins.push(rare);
  const chiSquare = bins.reduce((sum, [count, expected]) => sum + (count - expected) ** 2 / expected, 0);
  const freedom = Math.max(1, bins.length - 1);
  const x = Math.log(1e9);
  return chiSquare > freedom + 2 * Math.sqrt(freedom * x) + 2 * x;
}
