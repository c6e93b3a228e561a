import type { PauliString } from "../execution/pauli-string.ts";
import type { AffineBit } from "./affine-bit.ts";
import type { Amplitudes } from "./amplitudes.ts";
import type { QubitLayout } from "./qubit-layout.ts";

/** Returns the expectation value of a Pauli string: of amplitudes times those whose bits it flips, by the signs that it gives them. */
export function pauliExpectation(amplitudes: Amplitudes, layout: QubitLayout, string: PauliString): number {
  const flipped = new Set(string.flatMap(({ qubit, pauli }) => (pauli === "Z" ? [] : [qubit])));
  const flips = layout.flipsOf(flipped);
  if (flips === null) return 0;
  let signs: AffineBit = { parity: 0, value: 0 };
  let numY = 0;
  for (const { qubit, pauli } of string) {
    if (pauli === "Y") numY++;
    if (pauli === "X") continue;
    const { parity, value } = layout.affineBitOf(qubit);
    signs = { parity: signs.parity ^ parity, value: signs.value ^ value };
  }
  const { re, im } = amplitudes.overlap(flips, signs.parity);
  return (signs.value ? -1 : 1) * [re, -im, -re, im][numY % 4]!;
}
