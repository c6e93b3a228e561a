import { STDGATES } from "../circuit/standard.ts";
import { hermitianEigenvectors, type Unitary, unitaryOf } from "../circuit/unitary.ts";
import type { ComplexEntry, RuleChannel } from "../noise-rules.ts";

/** A square complex matrix on one qubit or two; the first qubit is the lowest bit of an index. */
export type Operator = Unitary;

/** Weights below this are rounding errors. */
const ROUNDING = 1e-13;

const PAULIS = ["id", "x", "y", "z"].map(name =>
  unitaryOf(STDGATES.find(gate => gate.name === name)!, []),
) as [Operator, Operator, Operator, Operator];

const zeros = (size: number): Operator => ({
  size,
  re: new Float64Array(size * size),
  im: new Float64Array(size * size),
});

/** Makes an operator of its entries, row by row. */
export function operatorOf(rows: readonly (readonly ComplexEntry[])[]): Operator {
  const operator = zeros(rows.length);
  rows.flat().forEach((entry, i) => {
    const [re, im] = typeof entry === "number" ? [entry, 0] : entry;
    operator.re[i] = re;
    operator.im[i] = im;
  });
  return operator;
}

/** Returns the product `a·b`. */
export function product(a: Operator, b: Operator): Operator {
  const { size } = a;
  const out = zeros(size);
  for (let row = 0; row < size; row++)
    for (let k = 0; k < size; k++) {
      const [x, y] = [a.re[row * size + k]!, a.im[row * size + k]!];
      for (let column = 0; column < size; column++) {
        const [u, v] = [b.re[k * size + column]!, b.im[k * size + column]!];
        out.re[row * size + column]! += x * u - y * v;
        out.im[row * size + column]! += x * v + y * u;
      }
    }
  return out;
}

/** Returns the conjugate transpose. */
export function adjoint({ size, re, im }: Operator): Operator {
  const out = zeros(size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      out.re[column * size + row] = re[row * size + column]!;
      out.im[column * size + row] = -im[row * size + column]!;
    }
  return out;
}

/** Returns `Tr(K†·K) / size`: the probability that a Kraus operator acts on the maximally mixed state. */
export const weightOf = ({ size, re, im }: Operator): number =>
  (re.reduce((sum, x) => sum + x * x, 0) + im.reduce((sum, x) => sum + x * x, 0)) / size;

/** Returns by how much the sum of all `K†·K` differs from the identity, in its largest entry. */
export function completenessDefect(operators: readonly Operator[]): number {
  const { size } = operators[0]!;
  const sum = zeros(size);
  for (const operator of operators) {
    const { re, im } = product(adjoint(operator), operator);
    for (let i = 0; i < re.length; i++) {
      sum.re[i]! += re[i]!;
      sum.im[i]! += im[i]!;
    }
  }
  let defect = 0;
  for (let i = 0; i < sum.re.length; i++)
    defect = Math.max(defect, Math.hypot(sum.re[i]! - (i % (size + 1) === 0 ? 1 : 0), sum.im[i]!));
  return defect;
}

/** Returns a Pauli operator of two bits a qubit: 0 I, 1 X, 2 Y, 3 Z, the first qubit lowest. */
export function pauliOperator(pauli: number, numQubits: number): Operator {
  const own = PAULIS[pauli & 3]!;
  if (numQubits === 1) return own;
  const rest = pauliOperator(pauli >> 2, numQubits - 1);
  const out = zeros(2 ** numQubits);
  for (let row = 0; row < out.size; row++)
    for (let column = 0; column < out.size; column++) {
      const i = (row >> 1) * rest.size + (column >> 1);
      const j = (row & 1) * 2 + (column & 1);
      out.re[row * out.size + column] = rest.re[i]! * own.re[j]! - rest.im[i]! * own.im[j]!;
      out.im[row * out.size + column] = rest.re[i]! * own.im[j]! + rest.im[i]! * own.re[j]!;
    }
  return out;
}

/** A process matrix: of `ρ → Σ χ[m, n]·P[m]·ρ·P[n]` in the Pauli operators, as many rows as there are of these. */
function processMatrix(operators: readonly Operator[], numQubits: number): Operator {
  const size = 4 ** numQubits;
  const chi = zeros(size);
  const paulis = Array.from({ length: size }, (_, pauli) => pauliOperator(pauli, numQubits));
  for (const operator of operators) {
    const parts = paulis.map(pauli => {
      let [re, im] = [0, 0];
      for (let i = 0; i < operator.re.length; i++) {
        re += pauli.re[i]! * operator.re[i]! + pauli.im[i]! * operator.im[i]!;
        im += pauli.re[i]! * operator.im[i]! - pauli.im[i]! * operator.re[i]!;
      }
      return [re / operator.size, im / operator.size] as const;
    });
    parts.forEach(([a, b], row) => {
      parts.forEach(([c, d], column) => {
        chi.re[row * size + column]! += a * c + b * d;
        chi.im[row * size + column]! += b * c - a * d;
      });
    });
  }
  return chi;
}

/** A channel reduced to what simulators need to know of it. */
export interface ReducedChannel {
  /** The probability of each Pauli operator, the identity first, in the Pauli twirl of the channel. */
  readonly pauli: readonly number[];
  /** Whether the channel is its own Pauli twirl. */
  readonly isPauli: boolean;
  /** The fewest Kraus operators, orthogonal to each other, the most likely first. */
  readonly operators: readonly Operator[];
}

/** Reduces a channel that is given by any number of Kraus operators. */
export function reduceChannel(given: readonly Operator[]): ReducedChannel {
  const numQubits = Math.log2(given[0]!.size);
  const size = 4 ** numQubits;
  const chi = processMatrix(given, numQubits);
  const diagonal = Array.from({ length: size }, (_, i) => Math.max(0, chi.re[i * size + i]!));
  const total = diagonal.reduce((sum, value) => sum + value, 0);
  const pauli = diagonal.map(value => (value < ROUNDING ? 0 : value / total));
  const isPauli = chi.re.every(
    (value, i) => i % (size + 1) === 0 || Math.hypot(value, chi.im[i]!) < ROUNDING,
  );
  const vectors = hermitianEigenvectors(chi);
  const weights = Array.from({ length: size }, (_, k) => chi.re[k * size + k]! / total);
  const order = weights.map((_, k) => k).filter(k => weights[k]! > ROUNDING);
  const operators = order
    .sort((a, b) => weights[b]! - weights[a]!)
    .map(k => {
      const operator = zeros(2 ** numQubits);
      for (let row = 0; row < size; row++) {
        const scale = Math.sqrt(weights[k]!);
        const [a, b] = [scale * vectors.re[row * size + k]!, scale * vectors.im[row * size + k]!];
        const { re, im } = pauliOperator(row, numQubits);
        for (let i = 0; i < re.length; i++) {
          operator.re[i]! += a * re[i]! - b * im[i]!;
          operator.im[i]! += a * im[i]! + b * re[i]!;
        }
      }
      return operator;
    });
  return { pauli, isPauli, operators };
}

const scaled = ({ size, re, im }: Operator, factor: number): Operator => ({
  size,
  re: re.map(x => factor * x),
  im: im.map(x => factor * x),
});

const pauliChannel = (probabilities: readonly number[], numQubits: number): Operator[] =>
  probabilities.flatMap((p, pauli) => (p > 0 ? [scaled(pauliOperator(pauli, numQubits), Math.sqrt(p))] : []));

const diagonal = (a: number, b: number): Operator =>
  operatorOf([
    [a, 0],
    [0, b],
  ]);

/** Returns the Kraus operators of damping: by what a 1 stays one, and by what coherences shrink. */
function damping(population: number, coherence: number): Operator[] {
  const flip = population > 0 ? Math.max(0, population - coherence ** 2) : 0;
  return [
    diagonal(1, coherence),
    operatorOf([
      [0, Math.sqrt(1 - population)],
      [0, 0],
    ]),
    diagonal(0, Math.sqrt(flip)),
  ];
}

const PAULI_LETTERS = "IXYZ";

/** Returns the number of qubits on which a channel acts after a gate on `numQubits`. */
export function widthOf(channel: RuleChannel, numQubits: 1 | 2): 1 | 2 {
  switch (channel.channel) {
    case "depolarizing":
      return channel.on === undefined ? numQubits : 1;
    case "pauli":
      return Object.keys(channel.probabilities)[0]?.length === 2 ? 2 : 1;
    case "kraus":
      return channel.operators[0]!.length === 4 ? 2 : 1;
    default:
      return 1;
  }
}

/** Returns the Kraus operators of a channel on one qubit or two. */
export function krausOperators(channel: RuleChannel, numQubits: 1 | 2): Operator[] {
  const others = (probability: number, kinds: readonly number[]) => {
    const list = new Array<number>(4 ** numQubits).fill(0);
    for (const kind of kinds) list[kind] = probability / kinds.length;
    list[0] = 1 - probability;
    return pauliChannel(list, numQubits);
  };
  switch (channel.channel) {
    case "depolarizing":
      return others(
        channel.probability,
        Array.from({ length: 4 ** numQubits - 1 }, (_, i) => i + 1),
      );
    case "bit_flip":
      return others(channel.probability, [1]);
    case "bit_phase_flip":
      return others(channel.probability, [2]);
    case "phase_flip":
      return others(channel.probability, [3]);
    case "pauli": {
      const list = new Array<number>(4 ** numQubits).fill(0);
      for (const [letters, p] of Object.entries(channel.probabilities)) {
        const pauli = [...letters].reduce(
          (sum, letter, i) => sum + PAULI_LETTERS.indexOf(letter) * 4 ** i,
          0,
        );
        list[pauli]! += p;
      }
      list[0] = 1 - list.slice(1).reduce((sum, p) => sum + p, 0);
      return pauliChannel(list, numQubits);
    }
    case "amplitude_damping":
      return damping(1 - channel.gamma, Math.sqrt(1 - channel.gamma));
    case "phase_damping":
      return damping(1, Math.sqrt(1 - channel.lambda));
    case "thermal_relaxation": {
      const { T1, T2, time = Number.POSITIVE_INFINITY } = channel;
      return damping(Math.exp(-time / T1), Math.exp(-time / T2));
    }
    case "kraus":
      return channel.operators.map(operatorOf);
  }
}
