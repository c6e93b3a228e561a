/** Columns of complex amplitudes, one an input, interleaved; each has the norm 1. */
export type Columns = readonly Float64Array[];

/** A program's output for each input, with data and other qubits separated. */
export type SplitOutputs = ReturnType<typeof splitOutputs>;

export interface ComparisonRules {
  /** Whether other qubits must be in |0⟩, or in any state that is the same for every input. */
  readonly othersEnd: "zero" | "any";
  readonly globalPhase: "ignored" | "exact";
}

/**
 * Splits amplitudes by the reference qubits, which are the highest, by the data qubits, whose first is the lowest bit, and by
 * the others: for each input there is a column with an amplitude at `2 · (data · others + other)`.
 */
export function splitOutputs(amplitudes: ArrayLike<number>, numQubits: number, data: readonly number[]) {
  const rest = Array.from({ length: numQubits }, (_, qubit) => qubit).filter(qubit => !data.includes(qubit));
  const [size, others] = [2 ** data.length, 2 ** rest.length];
  const inputs = amplitudes.length / 2 / 2 ** numQubits;
  const scale = Math.sqrt(inputs);
  const place = (index: number, qubits: readonly number[]) =>
    qubits.reduce((value, qubit, bit) => value | (((index >> qubit) & 1) << bit), 0);
  const places = Array.from(
    { length: 2 ** numQubits },
    (_, index) => 2 * (place(index, data) * others + place(index, rest)),
  );
  const columns = Array.from({ length: inputs }, (_, input) => {
    const column = new Float64Array(2 * size * others);
    places.forEach((to, index) => {
      const from = 2 * (input * 2 ** numQubits + index);
      column[to] = amplitudes[from]! * scale;
      column[to + 1] = amplitudes[from + 1]! * scale;
    });
    return column;
  });
  return { columns, size, others };
}

/** Returns the largest distance of an output from the wanted one, over all inputs: 0 for equal ones, up to 2. */
export function outputDistance(found: SplitOutputs, wanted: Columns, rules: ComparisonRules): number {
  const overlaps = found.columns.map((column, input) => overlapsOf(column, wanted[input]!, found, rules));
  const sum = overlaps[0]!.map((_, i) => overlaps.reduce((total, parts) => total + parts[i]!, 0));
  const norm = Math.sqrt(squareOf(sum));
  const isGiven = (rules.globalPhase === "exact" && rules.othersEnd === "zero") || norm < 1e-9;
  const shared = sum.map((part, i) => (isGiven ? Number(i === 0) : part / norm));
  const squares = found.columns.map((column, input) => {
    const inCommon = overlaps[input]!.reduce((total, part, i) => total + part * shared[i]!, 0);
    return squareOf(column) + squareOf(wanted[input]!) - 2 * inCommon;
  });
  return Math.sqrt(Math.max(0, ...squares));
}

export const squareOf = (parts: Float64Array) => parts.reduce((sum, part) => sum + part * part, 0);

/** Returns the inner product of a target with an output for each state in which the other qubits may end. */
function overlapsOf(
  output: Float64Array,
  target: Float64Array,
  { others }: SplitOutputs,
  { othersEnd }: ComparisonRules,
): Float64Array {
  const overlaps = new Float64Array(2 * others);
  for (let data = 0; 2 * data < target.length; data++) {
    const [x, y] = [target[2 * data]!, target[2 * data + 1]!];
    for (let other = 0; other < (othersEnd === "zero" ? 1 : others); other++) {
      const at = 2 * (data * others + other);
      overlaps[2 * other]! += x * output[at]! + y * output[at + 1]!;
      overlaps[2 * other + 1]! += x * output[at + 1]! - y * output[at]!;
    }
  }
  return overlaps;
}

/**
 * Returns the input that tells best that outputs are not those wanted, as basis states with equal amplitudes: one where one
 * does, else two, which show a difference of their phases.
 */
export function tellingInput(found: SplitOutputs, wanted: Columns, rules: ComparisonRules) {
  const inputOf = (...states: number[]) => {
    const [output, target] = [found.columns, wanted].map(columns => superposition(columns, states));
    return { states, fidelity: squareOf(overlapsOf(output!, target!, found, rules)) };
  };
  const least = (inputs: ReturnType<typeof inputOf>[]) =>
    inputs.reduce((best, one) => (one.fidelity < best.fidelity - 1e-9 ? one : best));
  const single = least(found.columns.map((_, state) => inputOf(state)));
  if (single.fidelity < 1 - 1e-6 || found.columns.length < 2) return single;
  const first = single.states[0]!;
  return least(found.columns.flatMap((_, state) => (state === first ? [] : inputOf(first, state))));
}

export function superposition(columns: Columns, states: readonly number[]): Float64Array {
  return columns[0]!.map((_, i) =>
    states.reduce((sum, state) => sum + columns[state]![i]! / Math.sqrt(states.length), 0),
  );
}

/** Returns outputs with the data qubits in another order: qubit `i` becomes qubit `order[i]`; the inputs too, where they move along. */
export function reordered(wanted: Columns, order: readonly number[], movesInputs: boolean): Columns {
  const moved = (index: number) =>
    order.reduce((value, to, from) => value | (((index >> from) & 1) << to), 0);
  const result: Float64Array[] = [];
  for (const [input, column] of wanted.entries()) {
    const to = new Float64Array(column.length);
    for (let index = 0; index < column.length / 2; index++)
      to.set(column.subarray(2 * index, 2 * index + 2), 2 * moved(index));
    result[movesInputs ? moved(input) : input] = to;
  }
  return result;
}

export function orders(count: number): number[][] {
  if (count === 0) return [[]];
  return orders(count - 1).flatMap(order =>
    Array.from({ length: count }, (_, at) => order.toSpliced(count - 1 - at, 0, count - 1)),
  );
}
