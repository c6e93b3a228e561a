import {
  adjoint,
  hermitianEigenvectors,
  identity,
  innerProduct,
  kron,
  type Matrix,
  multiply,
  scale,
  sizeOf,
  zeros,
} from "../linear-algebra/matrix.ts";
import { I, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import type { ComplexEntry, RuleChannel } from "../noise-rules.ts";

/** Weights below this are rounding errors. */
const ROUNDING = 1e-13;
/** Entries below this are ignored where damping is recognized. */
const DAMPING_ROUNDING = 1e-12;

const PAULIS = [I, X, Y, Z];

/** Makes an operator of its entries, row by row. */
export function operatorOf(rows: readonly (readonly ComplexEntry[])[]): Matrix {
  return Float64Array.from(rows.flat().flatMap(entry => (typeof entry === "number" ? [entry, 0] : entry)));
}

/** Returns `Tr(K†·K) / size`: the probability that a Kraus operator acts on the maximally mixed state. */
export const weightOf = (operator: Matrix): number => innerProduct(operator, operator)[0] / sizeOf(operator);

/** Returns by how much the sum of all `K†·K` differs from the identity, in its largest entry. */
export function completenessDefect(operators: readonly Matrix[]): number {
  const rest = scale(identity(sizeOf(operators[0]!)), -1);
  for (const operator of operators) addScaled(rest, multiply(adjoint(operator), operator), 1, 0);
  let defect = 0;
  for (let i = 0; i < rest.length; i += 2) defect = Math.max(defect, Math.hypot(rest[i]!, rest[i + 1]!));
  return defect;
}

/** Adds a complex multiple of a matrix to another. */
function addScaled(sum: Matrix, m: Matrix, a: number, b: number): void {
  for (let i = 0; i < m.length; i += 2) {
    sum[i]! += a * m[i]! - b * m[i + 1]!;
    sum[i + 1]! += a * m[i + 1]! + b * m[i]!;
  }
}

/** Returns a Pauli operator of two bits a qubit: 0 I, 1 X, 2 Y, 3 Z, the first qubit lowest. */
export function pauliOperator(pauli: number, numQubits: number): Matrix {
  const own = PAULIS[pauli & 3]!;
  return numQubits === 1 ? own : kron(own, pauliOperator(pauli >> 2, numQubits - 1));
}

/** A process matrix: of `ρ → Σ χ[m, n]·P[m]·ρ·P[n]` in the Pauli operators, as many rows as there are of these. */
function processMatrix(operators: readonly Matrix[], numQubits: number): Matrix {
  const size = 4 ** numQubits;
  const chi = zeros(size);
  const paulis = Array.from({ length: size }, (_, pauli) => pauliOperator(pauli, numQubits));
  for (const operator of operators) {
    const parts = paulis.map(pauli => innerProduct(pauli, operator).map(part => part / sizeOf(operator)));
    parts.forEach(([a = 0, b = 0], row) => {
      parts.forEach(([c = 0, d = 0], column) => {
        chi[2 * (row * size + column)]! += a * c + b * d;
        chi[2 * (row * size + column) + 1]! += b * c - a * d;
      });
    });
  }
  return chi;
}

/** Damping of a qubit: the part of the population of 1 that stays, and that of the coherence. */
interface Damping {
  readonly population: number;
  readonly coherence: number;
}

/** The probabilities of Pauli operators, the identity first. */
interface PauliMixture {
  readonly kind: "pauli";
  readonly probabilities: readonly number[];
}

/** A channel as simulators apply it. */
export type ReducedChannel =
  | PauliMixture
  | ({ readonly kind: "damping" } & Damping)
  /** The fewest Kraus operators, orthogonal to each other, the most likely first, and the Pauli twirl. */
  | { readonly kind: "kraus"; readonly operators: readonly Matrix[]; readonly twirl: PauliMixture };

/** Reduces a channel that is given by any number of Kraus operators. */
function reduceOperators(given: readonly Matrix[]): ReducedChannel {
  const numQubits = Math.log2(sizeOf(given[0]!));
  const size = 4 ** numQubits;
  const chi = processMatrix(given, numQubits);
  const diagonal = Array.from({ length: size }, (_, i) => Math.max(0, chi[2 * i * (size + 1)]!));
  const total = diagonal.reduce((sum, value) => sum + value, 0);
  const twirl: PauliMixture = {
    kind: "pauli",
    probabilities: diagonal.map(value => (value < ROUNDING ? 0 : value / total)),
  };
  if (chi.every((part, i) => (i >> 1) % (size + 1) === 0 || Math.abs(part) < ROUNDING)) return twirl;
  const damping = numQubits === 1 ? dampingOf(given) : null;
  if (damping) return { kind: "damping", ...damping };
  const vectors = hermitianEigenvectors(chi);
  const weights = Array.from({ length: size }, (_, k) => chi[2 * k * (size + 1)]! / total);
  const order = weights.map((_, k) => k).filter(k => weights[k]! > ROUNDING);
  const operators = order
    .sort((a, b) => weights[b]! - weights[a]!)
    .map(k => {
      const operator = zeros(2 ** numQubits);
      for (let row = 0; row < size; row++) {
        const at = 2 * (row * size + k);
        const factor = Math.sqrt(weights[k]!);
        addScaled(operator, pauliOperator(row, numQubits), factor * vectors[at]!, factor * vectors[at + 1]!);
      }
      return operator;
    });
  return { kind: "kraus", operators, twirl };
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

/** Returns a mixture of Pauli errors on one qubit or two, and of the identity. */
function mixtureOf(numQubits: 1 | 2, errors: readonly (readonly [pauli: number, p: number])[]): PauliMixture {
  const probabilities = new Array<number>(4 ** numQubits).fill(0);
  for (const [pauli, p] of errors) if (pauli > 0) probabilities[pauli]! += p;
  probabilities[0] = 1 - probabilities.reduce((sum, p) => sum + p, 0);
  return { kind: "pauli", probabilities };
}

const damped = (population: number, coherence: number): ReducedChannel =>
  population < 1 ? { kind: "damping", population, coherence } : mixtureOf(1, [[3, (1 - coherence) / 2]]);

/** Returns the channel of a rule on one qubit or two. */
export function reducedChannel(channel: RuleChannel, numQubits: 1 | 2): ReducedChannel {
  switch (channel.channel) {
    case "depolarizing": {
      const count = 4 ** numQubits - 1;
      return mixtureOf(
        numQubits,
        Array.from({ length: count }, (_, i) => [i + 1, channel.probability / count]),
      );
    }
    case "bit_flip":
      return mixtureOf(numQubits, [[1, channel.probability]]);
    case "bit_phase_flip":
      return mixtureOf(numQubits, [[2, channel.probability]]);
    case "phase_flip":
      return mixtureOf(numQubits, [[3, channel.probability]]);
    case "pauli": {
      const pauliOf = (letters: string) =>
        [...letters].reduce((sum, letter, i) => sum + PAULI_LETTERS.indexOf(letter) * 4 ** i, 0);
      return mixtureOf(
        numQubits,
        Object.entries(channel.probabilities).map(([letters, p]) => [pauliOf(letters), p]),
      );
    }
    case "amplitude_damping":
      return damped(1 - channel.gamma, Math.sqrt(1 - channel.gamma));
    case "phase_damping":
      return damped(1, Math.sqrt(1 - channel.lambda));
    case "thermal_relaxation": {
      const { T1, T2, time = Number.POSITIVE_INFINITY } = channel;
      return damped(Math.exp(-time / T1), Math.exp(-time / T2));
    }
    case "kraus":
      return reduceOperators(channel.operators.map(operatorOf));
  }
}

/** Returns the Pauli twirl of a channel. Of damping, Z shrinks as the population does, X and Y as the coherence. */
export function twirlOf(channel: ReducedChannel): PauliMixture {
  if (channel.kind === "pauli") return channel;
  if (channel.kind === "kraus") return channel.twirl;
  const flip = (1 - channel.population) / 4;
  return mixtureOf(1, [
    [1, flip],
    [2, flip],
    [3, (1 - channel.coherence) / 2 - flip],
  ]);
}

/** Returns the channel of two on one qubit, the second after the first; undefined where they stay apart. */
export function composed(first: ReducedChannel, second: ReducedChannel): ReducedChannel | undefined {
  if (first.kind === "damping" && second.kind === "damping")
    return damped(first.population * second.population, first.coherence * second.coherence);
  if (first.kind === "kraus" && second.kind === "kraus")
    return reduceOperators(
      second.operators.flatMap(later => first.operators.map(earlier => multiply(later, earlier))),
    );
  if (first.kind !== "pauli" || second.kind !== "pauli") return undefined;
  return mixtureOf(
    1,
    first.probabilities.flatMap((p, a) => second.probabilities.map((q, b) => [a ^ b, p * q] as const)),
  );
}

/** Returns the damping that a channel on one qubit is, or null: 0 stays, a 1 decays, and coherences shrink. */
function dampingOf(operators: readonly Matrix[]): Damping | null {
  const [of00, of01, of10, of11] = [0, 2, 4, 6].map(at =>
    Float64Array.from(operators.flatMap(operator => [...operator.subarray(at, at + 2)])),
  ) as [Matrix, Matrix, Matrix, Matrix];
  const [coherence, phase] = innerProduct(of11, of00);
  const rest = [innerProduct(of10, of10), innerProduct(of01, of00), innerProduct(of11, of01), [phase]];
  const isDamping = coherence >= 0 && rest.every(parts => Math.hypot(...parts) < DAMPING_ROUNDING);
  return isDamping ? { population: innerProduct(of11, of11)[0], coherence } : null;
}
