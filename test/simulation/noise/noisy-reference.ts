import type { PauliString } from "../../../src/simulation/index.ts";
import type { NoiseModel } from "../../../src/simulation/noise-model.ts";
import { apply, type Complex, identity, type Matrix, plus, times, X, Y, Z } from "../reference.ts";

const paulis: readonly Matrix[] = [identity(2), X, Y, Z];
const conjugate = (m: Matrix): Matrix => m.map(row => row.map(([re, im]): Complex => [re, -im]));

/** The density matrix of a few qubits, evolved step by step: `ρ` as a state of twice as many qubits. */
export class DensityMatrix {
  readonly #numQubits: number;
  #rho: Complex[];

  constructor(numQubits: number) {
    this.#numQubits = numQubits;
    this.#rho = Array.from({ length: 4 ** numQubits }, (_, i): Complex => [i === 0 ? 1 : 0, 0]);
  }

  apply(m: Matrix, qubits: readonly number[]): void {
    this.#rho = this.#conjugated(this.#rho, m, qubits);
  }

  /** Puts every error but none on the qubits, each as likely, with this probability in all. */
  depolarize(qubits: readonly number[], probability: number): void {
    const errors = 4 ** qubits.length - 1;
    const sum = this.#rho.map(entry => times(entry, [1 - probability, 0]));
    for (let error = 1; error <= errors; error++) {
      let changed = this.#rho;
      qubits.forEach((qubit, place) => {
        changed = this.#conjugated(changed, paulis[(error >> (2 * place)) & 3]!, [qubit]);
      });
      changed.forEach((entry, i) => {
        sum[i] = plus(sum[i]!, times(entry, [probability / errors, 0]));
      });
    }
    this.#rho = sum;
  }

  /** Returns the trace of the state times a product of Pauli matrices. */
  expectation(string: PauliString): number {
    const n = this.#numQubits;
    const turned = string.reduce(
      (rho, { qubit, pauli }) => apply(rho, { X, Y, Z }[pauli], [qubit]),
      this.#rho,
    );
    let trace = 0;
    for (let i = 0; i < 2 ** n; i++) trace += turned[i * 2 ** n + i]![0];
    return trace;
  }

  /** Returns the probability of each outcome of a measurement of all qubits, qubit 0 on the right, misread by a model. */
  outcomes({ zeroGivenOne, oneGivenZero }: NoiseModel): Record<string, number> {
    const n = this.#numQubits;
    const read = new Array<number>(2 ** n).fill(0);
    for (let found = 0; found < 2 ** n; found++)
      for (let reported = 0; reported < 2 ** n; reported++) {
        let share = this.#rho[found * 2 ** n + found]![0];
        for (let qubit = 0; qubit < n; qubit++) {
          const wrong = ((found >> qubit) & 1 ? zeroGivenOne : oneGivenZero)[qubit]!;
          share *= ((found ^ reported) >> qubit) & 1 ? wrong : 1 - wrong;
        }
        read[reported]! += share;
      }
    return Object.fromEntries(read.map((p, i) => [i.toString(2).padStart(n, "0"), p]));
  }

  #conjugated(rho: Complex[], m: Matrix, qubits: readonly number[]): Complex[] {
    const bras = qubits.map(qubit => qubit + this.#numQubits);
    return apply(apply(rho, m, qubits), conjugate(m), bras);
  }
}

/**
 * Whether counts agree with a distribution: a chi-square test that is wrong once in a million runs, by the
 * approximation of Wilson and Hilferty. Outcomes of less than 5 expected counts are taken together.
 */
export function agrees(counts: Record<string, number>, expected: Record<string, number>): boolean {
  const shots = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const bins: { seen: number; expected: number }[] = [];
  const rest = { seen: 0, expected: 0 };
  for (const [key, probability] of Object.entries(expected)) {
    const bin = { seen: counts[key] ?? 0, expected: probability * shots };
    if (bin.expected >= 5) bins.push(bin);
    else {
      rest.seen += bin.seen;
      rest.expected += bin.expected;
    }
  }
  if (Object.keys(counts).some(key => !(key in expected))) return false;
  if (rest.expected > 0 || rest.seen > 0) bins.push({ ...rest, expected: Math.max(rest.expected, 1e-9) });
  const statistic = bins.reduce((sum, bin) => sum + (bin.seen - bin.expected) ** 2 / bin.expected, 0);
  const freedom = Math.max(1, bins.length - 1);
  const spread = 2 / (9 * freedom);
  return statistic < freedom * (1 - spread + 4.753 * Math.sqrt(spread)) ** 3;
}
