import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { type Observable, type PauliTerm, readObservable } from "../../results/index.ts";
import { derivedSeed } from "../../simulation/index.ts";
import { type GivenAmplitudes, readAmplitudes } from "../results/state.ts";
import { type ProgramBuilder, program } from "./builder.ts";
import type { Angle } from "./gates.ts";
import type { QasmProgram } from "./program.ts";

/** Well-known circuits, as programs of gates without measurements. */
export interface Circuits {
  /**
   * Quantum Fourier transform: |x⟩ to Σ exp(2πi x y / 2ⁿ) |y⟩ / √2ⁿ, with qubit 0 as the lowest bit.
   *
   * Source: Nielsen and Chuang, Quantum Computation and Quantum Information, section 5.1.
   *
   * @param options - `swaps: false` leaves the qubits in reversed order.
   */
  qft(qubits: number, options?: { swaps?: boolean }): QasmProgram;
  /** The state (|0…0⟩ + |1…1⟩)/√2. Source: Greenberger, Horne and Zeilinger, arXiv:0712.0921. */
  ghz(qubits: number): QasmProgram;
  /** The equal superposition of all states with a single 1. Source: Cruz et al., arXiv:1807.05572. */
  wState(qubits: number): QasmProgram;
  /**
   * Grover's search for marked basis states, each a number or its bits such as `"101"`, the last qubit on the left.
   *
   * Source: Grover, arXiv:quant-ph/9605043; number of iterations: Boyer et al., arXiv:quant-ph/9605034.
   *
   * @param options - `iterations`: the default is the number nearest to the highest probability.
   */
  grover(
    qubits: number,
    marked: number | string | readonly (number | string)[],
    options?: { iterations?: number },
  ): QasmProgram;
  /**
   * Phase estimation. The first `precision` qubits hold the phase, in units of 2π/2^precision with qubit 0 as the lowest
   * bit; the qubits of the program follow.
   *
   * Source: Cleve et al., arXiv:quant-ph/9708016.
   *
   * @param unitary - A program of gates.
   * @param options - `prepare`: a program that prepares the eigenstate. Default: none, for |0…0⟩.
   */
  phaseEstimation(unitary: QasmProgram, precision: number, options?: { prepare?: QasmProgram }): QasmProgram;
  /**
   * Adds two numbers of n bits: b becomes a + b. Qubit 0 is an auxiliary one in 0, a has the qubits 1 to n, b those from
   * n + 1 to 2n, and qubit 2n + 1 gets the carry.
   *
   * Source: Cuccaro et al., arXiv:quant-ph/0410184.
   */
  adder(bits: number): QasmProgram;
  /**
   * Evolution exp(−i H time) under a sum of Pauli strings such as `"ZZ + 0.5*XI"`, by product formulas.
   *
   * Source: Suzuki, J. Math. Phys. 32, 400 (1991).
   *
   * @param options - `steps`: default 1; `order`: 1 or 2, default 1; `qubits`: default those that H names.
   */
  trotter(
    hamiltonian: Observable,
    time: number,
    options?: { steps?: number; order?: 1 | 2; qubits?: number },
  ): QasmProgram;
  /**
   * QAOA of the largest cut of a graph: a layer for each pair of angles; a number of layers makes inputs `gamma0`,
   * `beta0`, ….
   *
   * Source: Farhi, Goldstone and Gutmann, arXiv:1411.4028.
   */
  qaoa(
    qubits: number,
    edges: readonly (readonly [number, number])[],
    layers: number | readonly { gamma: Angle; beta: Angle }[],
  ): QasmProgram;
  /**
   * Layers of random gates on each qubit, with controlled-Z between neighbours in turns. A seed gives the same program
   * everywhere. Construction after Boixo et al., arXiv:1608.00263.
   *
   * @param options - `seed`: default 0.
   */
  random(qubits: number, depth: number, options?: { seed?: number }): QasmProgram;
  /**
   * Prepares a state from |0…0⟩, up to a global phase, by multiplexed rotations.
   *
   * Source: Möttönen et al., arXiv:quant-ph/0407010; Shende, Bullock and Markov, arXiv:quant-ph/0406176.
   *
   * @param amplitudes - As for `State.from`, of at most 12 qubits.
   */
  statePreparation(amplitudes: GivenAmplitudes): QasmProgram;
}

const { PI } = Math;

/**
 * Well-known circuits.
 *
 * @example
 * ```ts
 * import { circuits, run } from "ketbook";
 * await run(circuits.grover(3, "101").measureAll()).shots(1000);
 * circuits.qft(4).inverse();
 * ```
 *
 * @throws KetbookError for sizes that cannot be.
 */
export const circuits: Circuits = Object.freeze({
  qft(qubits, { swaps = true } = {}) {
    return program(size("qft", "qubits", qubits), q => {
      for (let j = qubits - 1; j >= 0; j--) {
        q.h(j);
        for (let k = j - 1; k >= 0; k--) q.cp(PI / 2 ** (j - k), k, j);
      }
      if (swaps) for (let j = 0; j < Math.floor(qubits / 2); j++) q.swap(j, qubits - 1 - j);
    });
  },

  ghz(qubits) {
    return program(size("ghz", "qubits", qubits), q => {
      q.h(0);
      for (let i = 1; i < qubits; i++) q.cx(i - 1, i);
    });
  },

  wState(qubits) {
    return program(size("wState", "qubits", qubits), q => {
      q.x(0);
      for (let i = 0; i < qubits - 1; i++)
        q.cry(2 * Math.acos(Math.sqrt(1 / (qubits - i))), i, i + 1).cx(i + 1, i);
    });
  },

  grover(qubits, marked, options = {}) {
    size("grover", "qubits", qubits);
    const states = [
      ...new Set((Array.isArray(marked) ? marked : [marked]).map(state => markedState(state, qubits))),
    ];
    const angle = Math.asin(Math.sqrt(states.length / 2 ** qubits));
    const { iterations = Math.max(0, Math.round(PI / (4 * angle) - 0.5)) } = options;
    if (iterations !== 0) size("grover", "iterations", iterations);
    const controls = [...Array(qubits - 1).keys()];
    const flip = (q: ProgramBuilder, state: number) => {
      const zeros = [...Array(qubits).keys()].filter(k => Math.floor(state / 2 ** k) % 2 === 0);
      q.x(zeros)
        .mcz(controls, qubits - 1)
        .x(zeros);
    };
    return program(qubits, q => {
      q.h(q.qubits);
      for (let i = 0; i < iterations; i++) {
        for (const state of states) flip(q, state);
        q.h(q.qubits);
        flip(q, 0);
        q.h(q.qubits);
      }
    });
  },

  phaseEstimation(unitary, precision, { prepare } = {}) {
    size("phaseEstimation", "precision", precision);
    const targets = Array.from({ length: unitary.width }, (_, i) => precision + i);
    return program(precision + targets.length, q => {
      if (prepare) q.apply(prepare, targets);
      const counting = [...Array(precision).keys()];
      q.h(counting);
      for (const k of counting) q.apply(unitary.power(2 ** k).controlled(), [k, ...targets]);
      q.apply(circuits.qft(precision).inverse(), counting);
    });
  },

  adder(bits) {
    size("adder", "bits", bits);
    const [a, b] = [(i: number) => 1 + i, (i: number) => 1 + bits + i];
    const carry = (i: number) => (i === 0 ? 0 : a(i - 1));
    return program(2 * bits + 2, q => {
      for (let i = 0; i < bits; i++) q.cx(a(i), b(i)).cx(a(i), carry(i)).ccx(carry(i), b(i), a(i));
      q.cx(a(bits - 1), 2 * bits + 1);
      for (let i = bits - 1; i >= 0; i--) q.ccx(carry(i), b(i), a(i)).cx(a(i), carry(i)).cx(carry(i), b(i));
    });
  },

  trotter(hamiltonian, time, { steps = 1, order = 1, qubits } = {}) {
    size("trotter", "steps", steps);
    if (!Number.isFinite(time))
      throw new KetbookError(`circuits.trotter: the time ${time} must be a finite number.`);
    if (order !== 1 && order !== 2) throw new KetbookError("circuits.trotter: the order must be 1 or 2.");
    const count = size("trotter", "qubits", qubits ?? qubitsNamedBy(hamiltonian));
    const terms = rethrowAsKetbookError("circuits.trotter", () =>
      readObservable(hamiltonian, [...Array(count).keys()], "qubits"),
    );
    return program(count, q => {
      for (let i = 0; i < steps; i++) {
        const half = time / steps / order;
        for (const term of terms) evolve(q, term, half);
        if (order === 2) for (const term of terms.toReversed()) evolve(q, term, half);
      }
    });
  },

  qaoa(qubits, edges, layers) {
    size("qaoa", "qubits", qubits);
    const count = typeof layers === "number" ? size("qaoa", "layers", layers) : layers.length;
    const angles: readonly { gamma: Angle; beta: Angle }[] =
      typeof layers === "number"
        ? Array.from({ length: count }, (_, i) => ({ gamma: `gamma${i}`, beta: `beta${i}` }))
        : layers;
    const inputs =
      typeof layers === "number" ? angles.flatMap(({ gamma, beta }) => [String(gamma), String(beta)]) : [];
    const times = (factor: number, angle: Angle): Angle =>
      typeof angle === "number" ? factor * angle : `${factor} * (${angle})`;
    return program({ qubits, inputs }, q => {
      q.h(q.qubits);
      for (const { gamma, beta } of angles) {
        for (const [a, b] of edges) q.rzz(times(-1, gamma), a, b);
        q.rx(times(2, beta), q.qubits);
      }
    });
  },

  random(qubits, depth, { seed = 0 } = {}) {
    size("random", "qubits", qubits);
    size("random", "depth", depth);
    if (!Number.isSafeInteger(seed))
      throw new KetbookError(`circuits.random: the seed ${seed} must be a whole number.`);
    let drawn = 0;
    const angle = () => (2 * PI * derivedSeed(seed, drawn++, 0)) / 2 ** 53;
    return program(qubits, q => {
      for (let layer = 0; layer < depth; layer++) {
        for (const qubit of q.qubits) q.u(angle(), angle(), angle(), qubit);
        for (let i = layer % 2; i + 1 < qubits; i += 2) q.cz(i, i + 1);
      }
    });
  },

  statePreparation(amplitudes) {
    const parts = rethrowAsKetbookError("circuits.statePreparation", () => readAmplitudes(amplitudes));
    const qubits = Math.log2(parts.length / 2);
    if (qubits > 12)
      throw new KetbookError(`circuits.statePreparation: the limit is 12 qubits, not ${qubits}.`);
    const norms = Array.from({ length: 2 ** qubits }, (_, i) => Math.hypot(parts[2 * i]!, parts[2 * i + 1]!));
    const phases = norms.map((norm, i) => (norm === 0 ? 0 : Math.atan2(parts[2 * i + 1]!, parts[2 * i]!)));
    return program(size("statePreparation", "qubits", qubits), q => {
      for (let target = qubits - 1; target >= 0; target--) {
        const norm = (place: number) =>
          Math.hypot(...norms.slice(place * 2 ** target, (place + 1) * 2 ** target));
        const angles = Array.from(
          { length: 2 ** (qubits - 1 - target) },
          (_, i) => 2 * Math.atan2(norm(2 * i + 1), norm(2 * i)),
        );
        multiplex(q, "ry", angles, target, target + 1);
      }
      let left = phases;
      for (let target = 0; target < qubits; target++) {
        const pair = (i: number) => [left[2 * i]!, left[2 * i + 1]!] as const;
        const places = [...Array(left.length / 2).keys()];
        multiplex(
          q,
          "rz",
          places.map(i => pair(i)[1] - pair(i)[0]),
          target,
          target + 1,
        );
        left = places.map(i => (pair(i)[0] + pair(i)[1]) / 2);
      }
    });
  },
} satisfies Circuits);

/** Rotates a qubit by the angle that the qubits from `first` on choose. */
function multiplex(
  q: ProgramBuilder,
  gate: "ry" | "rz",
  angles: readonly number[],
  target: number,
  first: number,
): void {
  if (angles.every(angle => Math.abs(angle) < 1e-12)) return;
  if (angles.every(angle => Math.abs(angle - angles[0]!) < 1e-12)) {
    q[gate](angles[0]!, target);
    return;
  }
  const half = angles.length / 2;
  const control = first + Math.log2(half);
  const mean = (sign: number) =>
    Array.from({ length: half }, (_, i) => (angles[i]! + sign * angles[half + i]!) / 2);
  multiplex(q, gate, mean(1), target, first);
  q.cx(control, target);
  multiplex(q, gate, mean(-1), target, first);
  q.cx(control, target);
}

/** Returns the number of qubits that the Pauli strings of an observable have, or name by number. */
function qubitsNamedBy(observable: Observable): number {
  const text = typeof observable === "string" ? observable : Object.keys(Object(observable)).join(" + ");
  const strings = text.match(/[IXYZ]+(?![IXYZ]*\s*\d)/g) ?? [];
  const numbers = Array.from(text.matchAll(/[IXYZ]\s*(\d+)/g), ([, number]) => Number(number) + 1);
  return Math.max(1, ...strings.map(({ length }) => length), ...numbers);
}

/** Adds exp(−i time · term). */
function evolve(q: ProgramBuilder, { coefficient, factors }: PauliTerm, time: number): void {
  const qubits = [...factors.keys()].sort((a, b) => a - b);
  const last = qubits.at(-1);
  if (last === undefined) {
    q.gphase(-coefficient * time);
    return;
  }
  const ladder = qubits.slice(1).map((qubit, i) => [qubits[i]!, qubit] as const);
  const turn = (angle: number) => {
    for (const qubit of qubits) {
      if (factors.get(qubit) === "X") q.h(qubit);
      if (factors.get(qubit) === "Y") q.rx(angle, qubit);
    }
  };
  turn(PI / 2);
  for (const [a, b] of ladder) q.cx(a, b);
  q.rz(2 * coefficient * time, last);
  for (const [a, b] of ladder.toReversed()) q.cx(a, b);
  turn(-PI / 2);
}

function size(name: string, what: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new KetbookError(`circuits.${name}: ${what} must be a whole number, 1 or more, not ${value}.`);
}

function markedState(state: number | string, qubits: number): number {
  const isBits = typeof state === "string" && /^[01]+$/.test(state) && state.length === qubits;
  const number = isBits ? Number.parseInt(state, 2) : state;
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number < 2 ** qubits)
    return number;
  throw new KetbookError(
    `circuits.grover: ${JSON.stringify(state)} is not a state of ${qubits} qubits. Give ${qubits} bits such as "${"1".repeat(qubits)}", or a number below ${2 ** qubits}.`,
  );
}
