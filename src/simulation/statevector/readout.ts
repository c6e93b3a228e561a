import type { PauliString, Sampler } from "../execution/quantum-state.ts";
import { type Amplitudes, type OverlapMasks, positionsIn } from "./amplitudes.ts";
import { type AffineBit, codesAt, type QubitLayout, valueAt } from "./qubit-layout.ts";

/** Returns the possible values at places; outcomes are the bits of indices that they depend on. */
export function samplerOf(amplitudes: Amplitudes, places: readonly AffineBit[]): Sampler {
  const mask = places.reduce((bits, { parity }) => bits | parity, 0);
  return {
    draw: (count, random, b, stream) => {
      if (mask === 0) return new Uint32Array(count);
      const indices = amplitudes.draw(count, random, b, stream);
      if (mask === 2 ** amplitudes.numPositions - 1) return indices;
      for (let i = 0; i < count; i++) indices[i]! &= mask;
      return indices.sort();
    },
    each: visit => {
      const positions = positionsIn(mask);
      amplitudes.marginal(positions).forEach((probability, value) => {
        visit(
          positions.reduce((index, position, place) => index + ((value >>> place) & 1) * 2 ** position, 0),
          probability,
        );
      });
    },
    value: (outcome, place) => valueAt(outcome, places[place]!),
    ...(places.length <= 32 && { codes: outcomes => codesAt(outcomes, places) }),
  };
}

/** Returns the amplitudes of all values at places, times a phase, real and imaginary parts interleaved. */
export function allAmplitudes(amplitudes: Amplitudes, places: readonly AffineBit[], phase: number): number[] {
  const out = new Array<number>(2 * 2 ** places.length).fill(0);
  const { re, im } = amplitudes.planes();
  const [c, s] = [Math.cos(phase), Math.sin(phase)];
  for (let i = 0; i < 2 ** amplitudes.numPositions; i++) {
    const index = places.reduce((bits, place, qubit) => bits | (valueAt(i, place) << qubit), 0);
    out[2 * index] = re[i]! * c - im[i]! * s;
    out[2 * index + 1] = re[i]! * s + im[i]! * c;
  }
  return out;
}

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
