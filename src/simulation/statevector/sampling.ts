import type { Sampler } from "../execution/quantum-state.ts";
import { type AffineBit, codesAt, valueAt } from "./affine-bit.ts";
import { type Amplitudes, positionsIn } from "./amplitudes.ts";

/** Returns what values at places may be; outcomes are the bits of indices that they depend on. */
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
