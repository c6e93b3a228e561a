import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { sizeOf } from "../circuit/gate.ts";
import { OPERATION } from "../circuit/operations.ts";
import { everyStatement, roundsOf, type StatementList } from "../circuit/statement.ts";
import { SimulationError } from "../errors.ts";
import { Branch } from "../execution/branch.ts";
import { runPure } from "../execution/scheduler.ts";
import type { Precision, Simulator } from "../execution/simulator.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { link } from "../interpreter/link.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import { memoized } from "../memoized.ts";
import { activeQubitCount, describeQubits, isClifford } from "../plan/profile.ts";
import { philox } from "../sampling/philox.ts";
import { type Amplitudes, checkMemory, maxFittingQubits, stateOptionsOf } from "./amplitudes.ts";
import { StateVector } from "./state-vector.ts";

/** Qubits whose state vector takes little memory. */
const FEW_QUBITS = 12;
/** Simulates with all amplitudes at hand. */
export const statevectorSimulator: Simulator = {
  name: "statevector",

  check(circuit, request) {
    const limits = stateOptionsOf(request);
    const max = maxFittingQubits(limits);
    const fitting = Math.max(max, FEW_QUBITS);
    if (activeQubitCount(circuit) <= fitting) return null;
    const needed = denseQubits(circuit);
    if (needed <= fitting) return null;
    const clause = `a state vector of ${describeQubits(circuit)} does not fit (at most ${max})`;
    return { clause, fail: () => checkMemory(needed, limits) };
  },

  reason(circuit, request) {
    const usedQubits = activeQubitCount(circuit);
    const qubits = describeQubits(circuit);
    if (usedQubits <= FEW_QUBITS) return `The program uses ${qubits}, which take little memory.`;
    const why = request.statevector ? "The final state is wanted" : "The program has non-Clifford gates";
    const needed = denseQubits(circuit);
    if (needed < usedQubits)
      return `${why}, and of the ${qubits} that it uses at most ${needed} are in superposition at a time.`;
    const fits = usedQubits <= maxFittingQubits(stateOptionsOf(request)) ? ", for which there is memory" : "";
    return `${why}, and uses ${qubits}${fits}.`;
  },

  remark: (circuit, request) =>
    activeQubitCount(circuit) > FEW_QUBITS ? describePrecision(stateOptionsOf(request).precision) : "",

  run(circuit, simulation) {
    const options = stateOptionsOf(simulation);
    return runPure(circuit, simulation, () => new StateVector(circuit.numQubits, options, simulation.meter));
  },
};

const describePrecision = (precision: Precision): string =>
  precision === "reproducible"
    ? "Amplitudes have double precision, rounded alike on every machine."
    : `Amplitudes have ${precision} precision.`;

/** Returns the qubits of a state vector: those in superposition at a time, or all that are used if these are not known. */
function denseQubits(circuit: Circuit): number {
  const usedQubits = activeQubitCount(circuit);
  const isKnown = usedQubits <= FEW_QUBITS || isClifford(circuit);
  return (isKnown ? undefined : estimateDense(circuit)?.qubits) ?? usedQubits;
}

/** Counts amplitudes, and those that gates touch, without computing them. */
class CountedAmplitudes implements Amplitudes {
  numPositions = 0;
  /** The largest number of positions that there has been. */
  maxPositions = 0;
  /** Amplitudes touched by all gates so far. */
  touched = 0;
  readonly bytes = 0;

  addQubit(): void {
    this.numPositions++;
    this.maxPositions = Math.max(this.maxPositions, this.numPositions);
  }

  matrix(): void {
    this.touched += 2 ** this.numPositions;
  }

  phase(): void {
    this.touched += 2 ** this.numPositions;
  }

  weights(): { zero: number; one: number } {
    return { zero: 1, one: 1 };
  }

  project(): Amplitudes {
    this.numPositions--;
    return this;
  }

  copy(): Amplitudes {
    return this;
  }

  release(): void {}

  readonly marginal = notComputed;
  readonly draw = notComputed;
  readonly overlaps = notComputed;
  readonly planes = notComputed;
}

function notComputed(): never {
  throw new Error("These amplitudes are counted, not computed.");
}

/** Positions that a dry run can number; what needs more fits into no memory. */
const MAX_POSITIONS = 30;

/** Cost of a state-vector simulation. */
interface DenseEstimate {
  /** Qubits that are in superposition at a time, not counting copies and parities of others. */
  readonly qubits: number;
  /** Amplitudes touched by all gates. */
  readonly touched: number;
  /** Elementary gates. */
  readonly operations: number;
}

/** Maximum number of operations of a dry run. */
const MAX_OPERATIONS = 2 ** 19;

/**
 * Returns the cost of a state vector, by a run that counts amplitudes without computing them. Returns null if the cost
 * depends on outcomes, exceeds all memory, or takes too long to count.
 */
export const estimateDense = memoized((circuit: Circuit): DenseEstimate | null => {
  const { parts, numQubits } = circuit;
  const isWhole = everyStatement(parts.body, ({ kind }) => !EXITS.includes(kind));
  if (isWhole && leastGates(parts, parts.body) > MAX_OPERATIONS) return null;
  let operations = 0;
  const meter: Meter = {
    spend: () => {
      if (++operations > MAX_OPERATIONS) throw new SimulationError("The dry run is too long.");
    },
    work: () => {},
  };
  const counted = new CountedAmplitudes();
  const limits = { maxQubits: MAX_POSITIONS, maxBytes: Number.POSITIVE_INFINITY };
  const state = new StateVector(numQubits, limits, meter, counted);
  const branch = new Branch(state, parts.numBits, new Array(parts.numSlots).fill(0n), null, philox(0));
  try {
    if (run(branch, link(parts), meter) !== FINISHED) return null;
  } catch (error) {
    if (error instanceof SimulationError) return null;
    throw error;
  }
  return { qubits: counted.maxPositions, touched: counted.touched, operations };
});

/** Statements that may skip others. */
const EXITS: readonly string[] = ["break", "continue", "return", "end"];

/** Returns a number of elementary gates that statements without exits apply at least. */
function leastGates(parts: CircuitParts, statements: StatementList): number {
  const { kinds, gates } = parts.operations;
  let sum = 0;
  for (const statement of statements) {
    if (statement.kind === "operations") {
      for (let i = statement.start; i < statement.end; i++)
        if (kinds[i] === OPERATION.gate) sum += sizeOf(parts.gates[gates[i]!]!);
    } else if (statement.kind === "for") {
      const rounds = roundsOf(statement.values);
      if (Number.isFinite(rounds)) sum += rounds * leastGates(parts, statement.body);
    } else if (statement.kind === "scope") sum += leastGates(parts, statement.body);
  }
  return sum;
}
