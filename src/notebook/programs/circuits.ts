import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { flag, must, wholeNumber } from "../../contract/index.ts";
import { type Observable, type PauliTerm, readObservable } from "../../results/index.ts";
import { derivedSeed } from "../../simulation/index.ts";
import { type GivenAmplitudes, readAmplitudes } from "../results/state.ts";
import { checkHelperOptions } from "../values/options.ts";
import { type ProgramBuilder, program } from "./builder.ts";
import type { Angle } from "./gates.ts";
import { QasmProgram } from "./program.ts";

const { PI } = Math;
const aProgram = must("a program", value => value instanceof QasmProgram);
const range = (count: number) => [...Array(count).keys()];

/** Well-known circuits, as programs of gates without measurements. */
export class Circuits {
  /**
   * Quantum Fourier transform: |x⟩ to Σ exp(2πi x y / 2ⁿ) |y⟩ / √2ⁿ, with qubit 0 as the lowest bit.
   *
   * Source: Nielsen and Chuang, Quantum Computation and Quantum Information, section 5.1.
   *
   * @param options - `swaps: false` leaves the qubits in reversed order.
   */
  qft(qubits: number, options: { swaps?: boolean } = {}): QasmProgram {
    checkHelperOptions("circuits.qft", options, { swaps: flag });
    return program(qubits, q => {
      for (const j of range(qubits).reverse()) {
        q.h(j);
        for (const k of range(j).reverse()) q.cp(PI / 2 ** (j - k), k, j);
      }
      if (options.swaps ?? true) for (const j of range(qubits >> 1)) q.swap(j, qubits - 1 - j);
    });
  }

  /** The state (|0…0⟩ + |1…1⟩)/√2. Source: Greenberger, Horne and Zeilinger, arXiv:0712.0921. */
  ghz(qubits: number): QasmProgram {
    return program(qubits, q => {
      q.h(0);
      for (const k of range(qubits - 1)) q.cx(k, k + 1);
    });
  }

  /** The equal superposition of all states with a single 1. Source: Cruz et al., arXiv:1807.05572. */
  wState(qubits: number): QasmProgram {
    return program(qubits, q => {
      q.x(0);
      for (const k of range(qubits - 1))
        q.cry(2 * Math.acos(Math.sqrt(1 / (qubits - k))), k, k + 1).cx(k + 1, k);
    });
  }

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
    options: { iterations?: number } = {},
  ): QasmProgram {
    checkHelperOptions("circuits.grover", options, { iterations: wholeNumber(0) });
    const states = [...new Set([marked].flat().map(state => markedState(state, qubits)))];
    const angle = Math.asin(Math.sqrt(states.length / 2 ** qubits));
    const most = Math.max(0, Math.round(PI / (4 * angle) - 0.5));
    if (states.length === 0) throw new KetbookError("circuits.grover: mark at least one state.");
    const iterations = options.iterations ?? most;
    return program(qubits, q => {
      const flip = (state: number) => {
        const zeros = q.qubits.filter(k => Math.floor(state / 2 ** k) % 2 === 0);
        q.x(zeros)
          .mcz(q.qubits.slice(0, -1), qubits - 1)
          .x(zeros);
      };
      q.h(q.qubits);
      for (let i = 0; i < iterations; i++) {
        for (const state of states) flip(state);
        q.h(q.qubits);
        flip(0);
        q.h(q.qubits);
      }
    });
  }

  /**
   * Phase estimation. The first `precision` qubits hold the phase, in units of 2π/2^precision with qubit 0 as the lowest
   * bit; the qubits of the program follow.
   *
   * Source: Cleve et al., arXiv:quant-ph/9708016.
   *
   * @param unitary - A program of gates.
   * @param options - `prepare`: a program that prepares the eigenstate. Default: none, for |0…0⟩.
   */
  phaseEstimation(
    unitary: QasmProgram,
    precision: number,
    options: { prepare?: QasmProgram } = {},
  ): QasmProgram {
    const given = { ...options, unitary: unitary ?? null };
    checkHelperOptions("circuits.phaseEstimation", given, { unitary: aProgram, prepare: aProgram });
    const counting = range(size("phaseEstimation", "precision", precision));
    const { prepare } = options;
    if (prepare && prepare.width !== unitary.width)
      throw new KetbookError(
        `circuits.phaseEstimation: prepare has ${prepare.width} qubits, and the program ${unitary.width}.`,
      );
    const targets = range(unitary.width).map(k => precision + k);
    return program(precision + targets.length, q => {
      if (prepare) q.apply(prepare, targets);
      q.h(counting);
      for (const k of counting) q.apply(unitary.power(2 ** k).controlled(), [k, ...targets]);
      q.apply(circuits.qft(precision).inverse(), counting);
    });
  }

  /**
   * Adds two numbers of n bits: b becomes a + b. Qubit 0 is an auxiliary one in 0, a has the qubits 1 to n, b those from
   * n + 1 to 2n, and qubit 2n + 1 gets the carry.
   *
   * Source: Cuccaro et al., arXiv:quant-ph/0410184.
   */
  adder(bits: number): QasmProgram {
    const [a, b] = [(k: number) => 1 + k, (k: number) => 1 + bits + k];
    const steps = range(size("adder", "bits", bits));
    return program(2 * bits + 2, q => {
      for (const k of steps) q.cx(a(k), b(k)).cx(a(k), k).ccx(k, b(k), a(k));
      q.cx(bits, 2 * bits + 1);
      for (const k of steps.reverse()) q.ccx(k, b(k), a(k)).cx(a(k), k).cx(k, b(k));
    });
  }

  /**
   * Evolution exp(−i H time) under a sum of Pauli strings such as `"ZZ + 0.5*XI"`, by product formulas.
   *
   * Source: Suzuki, J. Math. Phys. 32, 400 (1991).
   *
   * @param options - `steps`: default 1; `order`: 1 or 2, default 1; `qubits`: default those that H names. A step has the
   * terms in the order in which they are written.
   */
  trotter(
    hamiltonian: Observable,
    time: number,
    options: { steps?: number; order?: 1 | 2; qubits?: number } = {},
  ): QasmProgram {
    checkHelperOptions("circuits.trotter", options, {
      ...{ steps: wholeNumber(1), qubits: wholeNumber(1) },
      order: must("1 or 2", order => order === 1 || order === 2),
    });
    const { steps = 1, order = 1, qubits = qubitsNamedBy(hamiltonian) } = options;
    if (!Number.isFinite(time))
      throw new KetbookError(`circuits.trotter: the time ${time} must be a finite number.`);
    const named = range(qubits);
    const terms = rethrowAsKetbookError("circuits.trotter", () =>
      readObservable(hamiltonian, named, "qubits"),
    );
    const sequence = order === 1 ? terms : [...terms, ...terms.toReversed()];
    return program(qubits, q => {
      for (let i = 0; i < steps; i++) for (const term of sequence) evolve(q, term, time / steps / order);
    });
  }

  /**
   * QAOA for MaxCut on a graph, whose edges are pairs of qubits: a layer for each pair of angles; a number of layers
   * makes inputs `gamma0`, `beta0`, …. Default: 1 layer. A layer is rzz(−gamma) on each edge, then rx(2 beta) on each qubit.
   *
   * Source: Farhi, Goldstone and Gutmann, arXiv:1411.4028.
   */
  qaoa(
    qubits: number,
    edges: readonly (readonly [number, number])[],
    layers: number | readonly { gamma: Angle; beta: Angle }[] = 1,
  ): QasmProgram {
    size("qaoa", "qubits", qubits);
    const isQubit = (qubit: unknown) =>
      Number.isInteger(qubit) && Number(qubit) >= 0 && Number(qubit) < qubits;
    const isEdge = (edge: unknown) =>
      Array.isArray(edge) && edge.length === 2 && edge.every(isQubit) && edge[0] !== edge[1];
    if (!Array.isArray(edges) || !edges.every(isEdge))
      throw new KetbookError(
        "circuits.qaoa: expected a number of qubits and a list of edges, pairs of different qubits, as in circuits.qaoa(3, [[0, 1], [1, 2]]).",
      );
    const named = (k: number) => ({ gamma: `gamma${k}`, beta: `beta${k}` });
    const isOpen = typeof layers === "number";
    const open = isOpen ? range(size("qaoa", "layers", layers)).map(named) : [];
    const times = (factor: number, angle: Angle) =>
      typeof angle === "number" ? factor * angle : `${factor} * (${angle})`;
    return program({ qubits, inputs: open.flatMap(({ gamma, beta }) => [gamma, beta]) }, q => {
      q.h(q.qubits);
      for (const { gamma, beta } of isOpen ? open : layers) {
        for (const [a, b] of edges) q.rzz(times(-1, gamma), a, b);
        q.rx(times(2, beta), q.qubits);
      }
    });
  }

  /**
   * Layers of random gates on each qubit, with controlled-Z between neighbours in turns. A seed gives the same program
   * everywhere. Construction after Boixo et al., arXiv:1608.00263.
   *
   * @param options - `seed`: default 0.
   */
  random(qubits: number, depth: number, options: { seed?: number } = {}): QasmProgram {
    checkHelperOptions("circuits.random", options, { seed: must("a whole number", Number.isSafeInteger) });
    const { seed = 0 } = options;
    size("random", "depth", depth);
    let drawn = 0;
    const angle = () => (2 * PI * derivedSeed(seed, drawn++, 0)) / 2 ** 53;
    return program(qubits, q => {
      for (let layer = 0; layer < depth; layer++) {
        for (const qubit of q.qubits) q.u(angle(), angle(), angle(), qubit);
        for (let k = layer % 2; k + 1 < qubits; k += 2) q.cz(k, k + 1);
      }
    });
  }

  /**
   * Prepares a state from |0…0⟩, up to a global phase, by multiplexed rotations.
   *
   * Source: Möttönen et al., arXiv:quant-ph/0407010; Shende, Bullock and Markov, arXiv:quant-ph/0406176.
   *
   * @param amplitudes - As for `State.from`, of at most 12 qubits.
   */
  statePreparation(amplitudes: GivenAmplitudes): QasmProgram {
    const parts = rethrowAsKetbookError("circuits.statePreparation", () => readAmplitudes(amplitudes));
    const qubits = Math.log2(parts.length / 2);
    if (qubits > 12)
      throw new KetbookError(`circuits.statePreparation: the limit is 12 qubits, not ${qubits}.`);
    const norms = range(2 ** qubits).map(i => Math.hypot(parts[2 * i]!, parts[2 * i + 1]!));
    let phases = norms.map((norm, i) => (norm === 0 ? 0 : Math.atan2(parts[2 * i + 1]!, parts[2 * i]!)));
    return program(qubits, q => {
      for (const target of range(qubits).reverse()) {
        const norm = (place: number) =>
          Math.hypot(...norms.slice(place * 2 ** target, (place + 1) * 2 ** target));
        const places = range(2 ** (qubits - 1 - target));
        const angles = places.map(i => 2 * Math.atan2(norm(2 * i + 1), norm(2 * i)));
        multiplex(q, "ry", angles, target, target + 1);
      }
      for (const target of range(qubits)) {
        const pairs = range(phases.length / 2).map(i => [phases[2 * i]!, phases[2 * i + 1]!] as const);
        const angles = pairs.map(([a, b]) => b - a);
        multiplex(q, "rz", angles, target, target + 1);
        phases = pairs.map(([a, b]) => (a + b) / 2);
      }
    });
  }
}

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
 * @throws KetbookError for invalid sizes.
 */
export const circuits: Circuits = Object.freeze(new Circuits());

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
  const mean = (sign: number) => range(half).map(i => (angles[i]! + sign * angles[half + i]!) / 2);
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
  throw new KetbookError(
    `circuits.${name}: ${what} must be a whole number, 1 or more, not ${JSON.stringify(value) ?? value}.`,
  );
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
