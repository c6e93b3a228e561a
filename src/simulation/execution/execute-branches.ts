import type { Circuit } from "../circuit/circuit.ts";
import { type Gate, listed, type Numbers } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import { standardGate } from "../circuit/standard.ts";
import { SimulationError } from "../errors.ts";
import { type LinkedProgram, link } from "../interpreter/link.ts";
import { locationOf, offsetOf } from "../interpreter/run.ts";
import { memoized, remembered } from "../memoized.ts";
import { type Philox, philox } from "../sampling/philox.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { Branch } from "./branch.ts";
import { type ClassicalBits, UNWRITTEN } from "./classical-bits.ts";
import { startBudget } from "./limits.ts";
import { type QuantumState, UnknownState } from "./quantum-state.ts";
import { scheduleBranches } from "./scheduler.ts";

/** A gate that was applied, a measurement or a reset. */
export interface BranchOperation {
  readonly kind: "gate" | "measure" | "reset";
  /** Null for measurements and resets. */
  readonly gate: Gate | null;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
  /** Its line in the program, from 1; null if it is in none. */
  readonly line: number | null;
}

/** One path of execution through a program. */
export interface FinalBranch {
  readonly probability: number;
  /** Amplitudes at the end, interleaved; empty where no state was asked for. Reference qubits are the highest. */
  readonly amplitudes: ArrayLike<number>;
  readonly operations: readonly BranchOperation[];
  /** For each bit, whether a measurement has written it last; null where nothing has. */
  readonly isMeasured: readonly (boolean | null)[];
}

/** Options for executing all branches of a program. */
export interface BranchesOptions {
  /** The qubits that begin maximally entangled with a reference qubit each; the others begin in |0⟩. Default: none. */
  inputs?: readonly number[];
  /** Whether the state is computed; without it, every outcome counts as possible. Default: true. */
  hasState?: boolean;
  /** Whether measurements that end the program are left out of the state. Default: false. */
  ignoresFinalMeasurements?: boolean;
}

/** Maximum number of qubits, references included, whose state is followed through all branches. */
export const MAX_BRANCH_QUBITS = 18;
const MAX_BRANCHES = 4096;
const [H, CX] = [standardGate("h"), standardGate("cx")];
const LIMITS = { maxQubits: MAX_BRANCH_QUBITS, maxBytes: 2 ** 28, precision: "double", threads: 1 } as const;

/**
 * Executes a program along every branch of its measurements and resets. With reference qubits, the state at the end holds
 * what the program does to each input: the column of its unitary for the input `r` stands where the references are `r`.
 * Throws a {@link SimulationError} where there are too many qubits, branches or operations.
 */
export function executeBranches(circuit: Circuit, options: BranchesOptions = {}): FinalBranch[] {
  const { inputs = [], hasState = true, ignoresFinalMeasurements = false } = options;
  const numQubits = circuit.numQubits + inputs.length;
  if (hasState && numQubits > MAX_BRANCH_QUBITS)
    throw new SimulationError(
      `The program has ${circuit.numQubits} qubits; what it does is computed exactly for up to ${MAX_BRANCH_QUBITS - inputs.length}.`,
    );
  const program = link(circuit.parts);
  const meter = startBudget({ maxOperations: 3e6, maxMilliseconds: 15_000 });
  const state = hasState ? new StateVector(numQubits, LIMITS, meter) : new UnknownState(numQubits);
  inputs.forEach((qubit, i) => {
    state.apply(H, [], 0, [circuit.numQubits + i], 0);
    state.apply(CX, [], 0, [circuit.numQubits + i, qubit], 0);
  });
  const ended: FinalBranch[] = [];
  const end = (branch: RecordedBranch): void => {
    const open = hasState ? branch.undecided(!ignoresFinalMeasurements) : -1;
    if (open >= 0) {
      for (const way of branch.split(open)) {
        using next = way.resume(false);
        end(next);
      }
      return;
    }
    if (ended.length === MAX_BRANCHES)
      throw new SimulationError(
        `The program has more than ${MAX_BRANCHES.toLocaleString("en-US")} branches by what its measurements find.`,
      );
    ended.push({
      probability: branch.weight,
      amplitudes: hasState ? branch.state.amplitudes() : [],
      operations: branch.operations,
      isMeasured: Array.from(branch.bits.origins, origin => (origin === UNWRITTEN ? null : origin >= 0)),
    });
  };
  scheduleBranches<RecordedBranch>(program, {
    shots: null,
    meter,
    begin: () => new RecordedBranch(program, state, philox(0)),
    onEnd: end,
  });
  return ended;
}

/** Lines of offsets in a program. */
const linesOf = memoized((_: LinkedProgram) => new Map<number, number | null>());

/** A branch of an exact run that records its operations. */
export class RecordedBranch extends Branch {
  readonly operations: BranchOperation[] = [];
  protected readonly program: LinkedProgram;

  constructor(
    program: LinkedProgram,
    state: QuantumState,
    random: Philox,
    bits: number | ClassicalBits = program.parts.numBits,
    slots: Value[] = new Array(program.parts.numSlots).fill(0n),
  ) {
    super(state, bits, slots, null, random);
    this.program = program;
  }

  override fork(): RecordedBranch {
    const { program, state, bits, slots, random } = this;
    const copy = new RecordedBranch(program, state.clone(), random, bits, [...slots]);
    for (const operation of this.operations) copy.operations.push(operation);
    return this.copyInto(copy);
  }

  override apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): number {
    const blocking = super.apply(gate, params, at, qubits, first);
    if (blocking >= 0) return blocking;
    this.record("gate", listed(qubits, first, gate.numQubits), gate, listed(params, at, gate.numParams));
    return -1;
  }

  override measure(qubit: number, bit: number): void {
    super.measure(qubit, bit);
    this.record("measure", [qubit]);
  }

  override reset(qubit: number): void {
    super.reset(qubit);
    this.record("reset", [qubit]);
  }

  /** Returns a qubit whose value the end leaves open: one that was reset, or of which a measurement was put off; or -1. */
  undecided(includesMeasured: boolean): number {
    return this.cleared.findIndex(
      (cleared, qubit) => cleared === 1 || (includesMeasured && this.measured[qubit] !== 0),
    );
  }

  /** Records an operation that was executed. */
  protected record(
    kind: BranchOperation["kind"],
    qubits: readonly number[],
    gate: Gate | null = null,
    params: readonly number[] = [],
  ): void {
    const offset = this.offset();
    const line = remembered(linesOf(this.program), offset, () => {
      const location = locationOf(this.program.parts, offset);
      return location && !location.file ? location.line : null;
    });
    this.operations.push({ kind, gate, params, qubits, line });
  }

  /** Returns where the operation that is executed begins in the source. */
  protected offset(): number {
    return offsetOf(this, this.program);
  }
}
