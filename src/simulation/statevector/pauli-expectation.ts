import type { PauliString } from "../execution/quantum-state.ts";
import type { AffineBit } from "./affine-bit.ts";
import type { Amplitudes, OverlapMasks } from "./amplitudes.ts";
import type { QubitLayout } from "./qubit-layout.ts";

/** Overlaps that are computed at a time. */
const MAX_OVERLAPS = 128;

/** Returns the expectation values of Pauli strings: of amplitudes times those whose bits they flip, by the signs that they give them. */
export function pauliExpectations(
  amplitudes: Amplitudes,
  layout: QubitLayout,
  strings: readonly PauliString[],
): number[] {
  const values = new Array<number>(strings.length).fill(0);
  const terms = strings.flatMap((string, place) => {
    const term = termOf(layout, string);
    return term ? [{ ...term, place }] : [];
  });
  for (let first = 0; first < terms.length; first += MAX_OVERLAPS) {
    const own = terms.slice(first, first + MAX_OVERLAPS);
    const overlaps = amplitudes.overlaps(own);
    own.forEach(({ place, sign }, i) => {
      values[place] = sign * overlaps[i]!;
    });
  }
  return values;
}

/** Returns the overlap that a Pauli string has the value of, but for a sign; null where its value is 0. */
function termOf(layout: QubitLayout, string: PauliString): (OverlapMasks & { sign: number }) | null {
  const flipped = new Set(string.flatMap(({ qubit, pauli }) => (pauli === "Z" ? [] : [qubit])));
  const flips = layout.flipsOf(flipped);
  if (flips === null) return null;
  let signs: AffineBit = { parity: 0, value: 0 };
  let numY = 0;
  for (const { qubit, pauli } of string) {
    if (pauli === "Y") numY++;
    if (pauli === "X") continue;
    const { parity, value } = layout.affineBitOf(qubit);
    signs = { parity: signs.parity ^ parity, value: signs.value ^ value };
  }
  return { flips, signs: signs.parity, sign: (signs.value ? -1 : 1) * [1, -1, -1, 1][numY % 4]! };
}
