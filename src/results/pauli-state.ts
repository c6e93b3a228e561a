import type { PauliTerm } from "./pauli.ts";

/**
 * The expectation ⟨ψ|O|ψ⟩ of a sum of Pauli strings.
 *
 * @param amplitudes - Real and imaginary parts, interleaved; qubit `q` is bit `q` of an amplitude's place.
 */
export function stateExpectation(amplitudes: ArrayLike<number>, terms: readonly PauliTerm[]): number {
  return terms.reduce((sum, { coefficient, factors }) => sum + coefficient * meanOf(amplitudes, factors), 0);
}

/** A Pauli string takes |j⟩ to iʸ (−1)^|j ∧ signs| |j ⊕ flips⟩, with y the number of its Y. */
function meanOf(amplitudes: ArrayLike<number>, factors: PauliTerm["factors"]): number {
  let [flips, signs, phase] = [0, 0, 0];
  for (const [qubit, pauli] of factors) {
    if (pauli !== "Z") flips |= 1 << qubit;
    if (pauli !== "X") signs |= 1 << qubit;
    if (pauli === "Y") phase++;
  }
  let [re, im] = [0, 0];
  for (let from = 0; 2 * from < amplitudes.length; from++) {
    const to = from ^ flips;
    const [a, b] = [amplitudes[2 * from]!, amplitudes[2 * from + 1]!];
    const [c, d] = [amplitudes[2 * to]!, amplitudes[2 * to + 1]!];
    const sign = isOdd(from & signs) ? -1 : 1;
    re += sign * (c * a + d * b);
    im += sign * (c * b - d * a);
  }
  return [re, -im, -re, im][phase % 4]!;
}

function isOdd(bits: number): boolean {
  let folded = bits ^ (bits >> 16);
  for (const shift of [8, 4, 2, 1]) folded ^= folded >> shift;
  return (folded & 1) === 1;
}
