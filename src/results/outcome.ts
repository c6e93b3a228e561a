/** How often each outcome was seen, or how probable it is. Keys are outcomes as the provider writes them. */
export interface Distribution {
  readonly [outcome: string]: number;
}

const bits = /^[01]+$/;

/** The outcome without the spaces that separate its registers. */
export function compact(outcome: string): string {
  return outcome.replaceAll(" ", "");
}

/** Symbols of an outcome, spaces between registers not counted: 5 for `00 101`. */
export function widthOf(outcome: string): number {
  return compact(outcome).length;
}

/** Says whether an outcome is made of 0 and 1 alone (and spaces between registers). */
export function isBitString(outcome: string): boolean {
  return bits.test(compact(outcome));
}

/** Reads a bit string as a number, the leftmost bit being the highest; `undefined` for other alphabets. */
export function decimalOf(outcome: string): bigint | undefined {
  return isBitString(outcome) ? BigInt(`0b${compact(outcome)}`) : undefined;
}

/** Writes a number as a bit string of the given width, the highest bit on the left. */
export function bitStringOf(value: number | bigint, width: number): string {
  return value.toString(2).padStart(width, "0");
}

/** Orders outcomes as a person counts: shorter ones first, then symbol by symbol. */
export function compareOutcomes(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
