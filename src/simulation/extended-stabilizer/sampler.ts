import { checkOutcomeCount, type Sampler } from "../execution/quantum-state.ts";

/** Offset from the stream of other draws to that of random bits. */
const RANDOM_BITS = 40;

/** The value of a qubit as a sum, modulo 2, of a sign, random bits and measured qubits of a state vector. */
export interface OutcomeForm {
  readonly sign: number;
  readonly random: readonly number[];
  readonly measured: readonly number[];
}

/** Makes a sampler of forms in random bits, all of which are even and independent, and in the values of some qubits. */
export function samplerOfForms(
  forms: readonly OutcomeForm[],
  random: readonly number[],
  measured: readonly number[],
  inner: Sampler,
): Sampler {
  const placeOf = new Map([...random, ...measured].map((qubit, place) => [qubit, place]));
  /** For each form, its values in the outcomes, 32 in a word. */
  let columns: readonly Uint32Array[] = [];
  const setColumns = (rows: readonly Uint32Array[], words: number) => {
    columns = forms.map(({ sign, random: bits, measured: qubits }) => {
      const column = new Uint32Array(words).fill(sign ? 0xffffffff : 0);
      for (const one of [...bits, ...qubits]) {
        const row = rows[placeOf.get(one)!]!;
        for (let word = 0; word < words; word++) column[word]! ^= row[word]!;
      }
      return column;
    });
  };
  return {
    draw(count, generator, b, stream) {
      const words = Math.ceil(count / 32);
      const outcomes = inner.draw(count, generator, b, stream);
      const all = new Uint32Array(random.length * words);
      generator.flip(all, b, stream + RANDOM_BITS);
      const rows = [
        ...random.map((_, i) => all.subarray(i * words, (i + 1) * words)),
        ...measured.map((_, place) => bitsOf(count, i => inner.value(outcomes[i]!, place))),
      ];
      setColumns(rows, words);
      return Uint32Array.from({ length: count }, (_, i) => i);
    },
    each(visit) {
      const found: { outcome: number; probability: number }[] = [];
      inner.each((outcome, probability) => found.push({ outcome, probability }));
      const patterns = 2 ** random.length;
      const count = patterns * found.length;
      checkOutcomeCount(count);
      const rows = [
        ...random.map((_, bit) => bitsOf(count, i => (i >> bit) & 1)),
        ...measured.map((_, place) =>
          bitsOf(count, i => inner.value(found[Math.floor(i / patterns)]!.outcome, place)),
        ),
      ];
      setColumns(rows, Math.ceil(count / 32));
      for (let i = 0; i < count; i++) visit(i, found[Math.floor(i / patterns)]!.probability / patterns);
    },
    value: (outcome, place) => (columns[place]![outcome >> 5]! >>> (outcome & 31)) & 1,
  };
}

/** Packs the given number of bits, 32 in a word. */
function bitsOf(count: number, bit: (i: number) => number): Uint32Array {
  const words = new Uint32Array(Math.ceil(count / 32));
  for (let i = 0; i < count; i++) if (bit(i)) words[i >> 5]! |= 1 << (i & 31);
  return words;
}
