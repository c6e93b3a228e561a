import type { CircuitParts } from "../circuit/circuit.ts";
import { NOWHERE } from "../circuit/operations.ts";
import { bodiesOf, type Statement, type StatementList } from "../circuit/statement.ts";
import { withTimingMarkers } from "../circuit/timing-markers.ts";
import { SimulationError } from "../errors.ts";
import { whereOf } from "../interpreter/run.ts";
import { type SingleStep, visitSteps } from "../specialize/blocks.ts";
import { ALL_FOLLOWED, type DynamicMemory, dynamicMemory } from "../specialize/measurement-flow.ts";
import { residualCircuit } from "../specialize/residual.ts";
import { traceOf, UndecidedError } from "../specialize/trace.ts";
import { computedOperations } from "./computed-gates.ts";
import { gateOperations } from "./gate-operations.ts";
import { type Operation, onPlaces, type SourceLocation, visitAll } from "./operation.ts";

const MAX_OPERATIONS = 1_000_000;

/**
 * Returns a program in which what is known before the run is carried out. Variables that depend on measured values are left
 * to it, and where those decide which qubit is meant, choices by measured bits take their place.
 */
export function withoutKnown(parts: CircuitParts): CircuitParts {
  const marked = withTimingMarkers(parts);
  const residual = (dynamic: DynamicMemory) =>
    residualCircuit(marked, traceOf(marked, dynamic), { keepsGates: true, dynamic }).parts;
  try {
    return residual(dynamicMemory(marked));
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
    return residual(ALL_FOLLOWED);
  }
}

/**
 * Returns a residual program as operations on known qubits. `qubits` are those that large gates may borrow.
 * Throws a {@link SimulationError} where there are too many operations, or a gate depends on variables in a way that is
 * not supported.
 */
export function readOperations(parts: CircuitParts, allQubits: readonly number[]): readonly Operation[] {
  let count = 0;
  const list = (statements: StatementList): Operation[] => {
    const out: Operation[] = [];
    const add = (operations: readonly Operation[]) => {
      count += operations.length;
      if (count > MAX_OPERATIONS)
        throw new SimulationError(
          `The program comes to more than ${MAX_OPERATIONS.toLocaleString("en-US")} operations, too many to transpile.`,
        );
      for (const operation of operations) out.push(operation);
    };
    /** Adds a statement that is carried out at run time, with the operations in it. */
    const keep = (statement: Statement, bodies: readonly Operation[][], qubits = qubitsOf(bodies)) =>
      add([{ ...placeOf(statement), kind: "statement", statement, bodies, qubits }]);
    for (const statement of statements) {
      switch (statement.kind) {
        case "operations":
          visitSteps(statement, parts, step => add(operationsOf(step, allQubits)));
          break;
        case "gate":
          add(computedGate(statement, parts));
          break;
        case "delay":
          keep(statement, [], (statement.qubits as readonly number[][]).flat());
          break;
        case "break":
        case "continue":
          keep(statement, [], allQubits);
          break;
        default: {
          const isIf = statement.kind === "if";
          const whole = isIf ? { ...statement, otherwise: statement.otherwise ?? [] } : statement;
          keep(whole, bodiesOf(whole).map(list));
        }
      }
    }
    return out;
  };
  return list(parts.body);
}

function operationsOf(step: SingleStep, allQubits: readonly number[]): readonly Operation[] {
  const [at, end] = step.range;
  const place: SourceLocation = at === NOWHERE ? {} : { at, end };
  switch (step.kind) {
    case "gate": {
      const { gate, params, qubits } = step;
      const spare = gate.numQubits > 5 ? allQubits.filter(qubit => !qubits.includes(qubit)) : [];
      return gateOperations(gate, params, qubits, spare, place);
    }
    case "measure":
      return [{ ...place, kind: "measure", qubits: [step.qubit], bit: step.bit }];
    case "reset":
      return [{ ...place, kind: "reset", qubits: [step.qubit] }];
    case "barrier":
      return [{ ...place, kind: "barrier", qubits: step.qubits }];
    default:
      return [];
  }
}

function computedGate(statement: Statement & { kind: "gate" }, parts: CircuitParts): readonly Operation[] {
  const qubits = statement.qubits.flatMap(list => list as readonly number[]);
  const gate = parts.gates[statement.gate]!;
  const computed = computedOperations(gate, statement.params, qubits, placeOf(statement));
  if (computed) return computed;
  throw new SimulationError(
    `${whereOf(parts, statement.range?.[0])}A measurement decides the parameters of ${statement.name}; that is supported for the gates of stdgates.inc without further controls.`,
  );
}

/** A program's use of the qubits that need a place on a device. */
interface PlacedProgram {
  readonly operations: readonly Operation[];
  /** The number of each of these qubits in the program, ascending. */
  readonly qubits: readonly number[];
}

/**
 * Reads a program for a device. If it declares more qubits than the device has, those that it only delays or names in
 * barriers are left out, and the others are renumbered.
 */
export function readForWidth(parts: CircuitParts, numQubits: number): PlacedProgram {
  const all = Array.from({ length: parts.numQubits }, (_, i) => i);
  if (all.length <= numQubits) return { operations: readOperations(parts, all), qubits: all };
  const qubits = touchedBy(readOperations(parts, []));
  const places = new Map(qubits.map((qubit, place) => [qubit, place]));
  return { operations: onPlaces(readOperations(parts, qubits), qubit => places.get(qubit)), qubits };
}

/** Lists the qubits that operations act on, ascending. */
function touchedBy(operations: readonly Operation[]): readonly number[] {
  const touched = new Set<number>();
  visitAll(operations, ({ kind, qubits }) => {
    if (kind !== "barrier" && kind !== "statement") for (const qubit of qubits) touched.add(qubit);
  });
  return [...touched].sort((a, b) => a - b);
}

const placeOf = ({ range }: Statement): SourceLocation => (range ? { at: range[0], end: range[1] } : {});

const qubitsOf = (bodies: readonly (readonly Operation[])[]): readonly number[] => [
  ...new Set(bodies.flatMap(body => body.flatMap(({ qubits }) => qubits))),
];
