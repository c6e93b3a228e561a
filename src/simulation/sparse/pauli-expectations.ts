import type { PauliString } from "../execution/quantum-state.ts";
import { valueAt } from "../statevector/affine-bit.ts";
import type { AmplitudeList, PairProduct } from "./multiply-pairs.ts";
import { PairTable } from "./pair-table.ts";

const ALL_BITS = { parity: -1, value: 0 };

/** Returns the expectation values of Pauli strings in a state, of which those that flip the same qubits share the search for pairs. */
export function pauliExpectations(
  { keys, re, im }: AmplitudeList,
  strings: readonly PauliString[],
  { size, words, meter }: Pick<PairProduct, "size" | "words" | "meter">,
): number[] {
  const maskOf = (string: PauliString, except: "X" | "Z") => {
    const mask = new Uint32Array(words);
    for (const { qubit, pauli } of string) if (pauli !== except) mask[qubit >> 5]! |= 1 << (qubit & 31);
    return mask;
  };
  const parityOf = (mask: Uint32Array, at: Uint32Array, first: number) => {
    let bits = 0;
    for (let word = 0; word < words; word++) bits ^= mask[word]! & at[first + word]!;
    return valueAt(bits, ALL_BITS);
  };
  const values = new Array<number>(strings.length);
  for (const own of Map.groupBy(strings.keys(), place => maskOf(strings[place]!, "Z").join()).values()) {
    const flips = maskOf(strings[own[0]!]!, "Z");
    const partners = flips.some(Boolean) ? new PairTable(keys, words, size, flips).partners() : null;
    for (const place of own) {
      meter.work(size * words, 1);
      const signs = maskOf(strings[place]!, "X");
      const isImaginary = parityOf(signs, flips, 0) === 1;
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const j = partners ? partners[i]! : i;
        if (j < 0) continue;
        const product = isImaginary ? im[i]! * re[j]! - re[i]! * im[j]! : re[i]! * re[j]! + im[i]! * im[j]!;
        sum += parityOf(signs, keys, i * words) ? -product : product;
      }
      const numY = strings[place]!.filter(({ pauli }) => pauli === "Y").length;
      values[place] = [1, -1, -1, 1][numY % 4]! * sum;
    }
  }
  return values;
}
