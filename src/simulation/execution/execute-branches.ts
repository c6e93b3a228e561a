import type { Circuit } from "../circuit/circuit.ts";
import { NOWHERE } from "../circuit/operations.ts";
import { standardGate } from "../circuit/standard.ts";
import { SimulationError } from "../errors.ts";
import { link } from "../interpreter/link.ts";
import { SourceText } from "../source-text.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { UNWRITTEN } from "./classical-bits.ts";
import { startBudget } from "./limits.ts";
import { UnknownState } from "./quantum-state.ts";
import { RecordedBranch, type RecordedOperation } from "./recorded-branch.ts";
import { scheduleBranches } from "./scheduler.ts";

/** An operation of an execution, with its line in the program, from 1; null if it is in none. */
export interface BranchOperation extends Omit<RecordedOperation, "offset"> {
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
  const { source } = circuit.parts;
  const text = source && new SourceText(source.data, source.files);
  const lineOf = (offset: number) => {
    const location = offset === NOWHERE ? undefined : text?.locate(offset);
    return location && !location.file ? location.line : null;
  };
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
      operations: branch.operations.map(({ offset, ...rest }) => ({ ...rest, line: lineOf(offset) })),
      isMeasured: Array.from(branch.bits.origins, origin => (origin === UNWRITTEN ? null : origin >= 0)),
    });
  };
  scheduleBranches<RecordedBranch>(program, {
    shots: null,
    meter,
    maxBranches: Number.POSITIVE_INFINITY,
    begin: () => new RecordedBranch(program, state),
    joins: false,
    onEnd: end,
  });
  return ended;
}
