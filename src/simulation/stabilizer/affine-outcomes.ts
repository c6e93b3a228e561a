import { asciiString } from "#host";
import { SimulationError } from "../errors.ts";
import { type AffineForm, CONSTANT } from "./affine-frames.ts";

/** Maximum number of characters that the outcomes of a program may have together. */
const MAX_CHARACTERS = 2 ** 26;
const MAX_DIMENSIONS = 20;

const ZERO = 48;

/**
 * Calls back for every outcome whose bits are sums of random bits; all of them are equally likely. `bits` are those of
 * the outcome's string from left to right, null for a space. Throws a SimulationError where they are too many to list.
 */
export function visitOutcomes(
  bits: readonly (AffineForm | null)[],
  visit: (outcome: string, probability: number) => void,
): void {
  const basis = columnBasis(bits);
  const max = Math.min(MAX_DIMENSIONS, Math.floor(Math.log2(MAX_CHARACTERS / Math.max(1, bits.length))));
  if (basis.length > max)
    throw new SimulationError(
      `The program has 2^${basis.length} equally likely outcomes, too many to list (at most 2^${max} of ${bits.length} characters); ask for shots instead.`,
    );
  const text = Uint8Array.from(bits.map(form => (form ? ZERO + (form[0]! & CONSTANT) : 32)));
  const count = 2 ** basis.length;
  for (let i = 0; ; ) {
    visit(asciiString(text), 1 / count);
    if (++i === count) return;
    for (const place of basis[31 - Math.clz32(i & -i)]!) text[place]! ^= 1;
  }
}

/** Returns independent sets of places that random bits flip together, and of which all others are sums. */
function columnBasis(bits: readonly (AffineForm | null)[]): number[][] {
  const columns = new Map<number, bigint>();
  bits.forEach((form, place) => {
    form?.forEach((word, at) => {
      for (let rest = at === 0 ? word & ~CONSTANT : word; rest !== 0; rest &= rest - 1) {
        const random = 32 * at + 31 - Math.clz32(rest & -rest);
        columns.set(random, (columns.get(random) ?? 0n) | (1n << BigInt(place)));
      }
    });
  });
  const basis = new Map<number, bigint>();
  for (const column of columns.values()) {
    let rest = column;
    while (rest !== 0n) {
      const lead = rest.toString(2).length - 1;
      const known = basis.get(lead);
      if (known === undefined) {
        basis.set(lead, rest);
        break;
      }
      rest ^= known;
    }
  }
  return [...basis.values()].map(column =>
    bits.flatMap((_, place) => ((column >> BigInt(place)) & 1n ? [place] : [])),
  );
}
