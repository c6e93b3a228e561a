const bits = /^[01]+$/;

/** The maximum number of bits that a number holds exactly. */
const maxExactBits = 53;

/** The outcome without the spaces that separate its registers. */
export function removeSpaces(outcome: string): string {
  return outcome.includes(" ") ? outcome.replaceAll(" ", "") : outcome;
}

/** Symbols of an outcome, spaces between registers not counted: 5 for `00 101`. */
export function widthOf(outcome: string): number {
  return removeSpaces(outcome).length;
}

/** Whether an outcome is made of 0 and 1 alone (and spaces between registers). */
export function isBitString(outcome: string): boolean {
  return bits.test(removeSpaces(outcome));
}

/** Reads a bit string as a number, the leftmost bit being the highest; `undefined` for other alphabets. */
export function numberOf(outcome: string): number | bigint | undefined {
  const digits = removeSpaces(outcome);
  if (!bits.test(digits)) return undefined;
  return digits.length <= maxExactBits ? Number.parseInt(digits, 2) : BigInt(`0b${digits}`);
}

/** Orders outcomes as a person counts: shorter ones first, then symbol by symbol. */
export function compareOutcomes(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** In how many symbols two outcomes of one width differ. Throws a `RangeError` when their widths differ. */
export function hammingDistance(a: string, b: string): number {
  const [left, right] = [removeSpaces(a), removeSpaces(b)];
  if (left.length !== right.length)
    throw new RangeError(
      `Outcomes of ${left.length} and ${right.length} symbols have no Hamming distance: give a target as wide as the outcomes.`,
    );
  let distance = 0;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) distance++;
  return distance;
}
