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
export const readOperations = (parts: CircuitParts, qubits: readonly number[]): readonly Operation[] =>
  new Reader(parts, qubits).list(parts.body);

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

class Reader {
  readonly #parts: CircuitParts;
  readonly #qubits: readonly number[];
  #count = 0;

  constructor(parts: CircuitParts, qubits: readonly number[]) {
    this.#parts = parts;
    this.#qubits = qubits;
  }

  list(statements: StatementList): Operation[] {
    const out: Operation[] = [];
    for (const statement of statements) this.#statement(statement, out);
    return out;
  }

  #statement(statement: Statement, out: Operation[]): void {
    switch (statement.kind) {
      case "operations":
        visitSteps(statement, this.#parts, step => this.#step(step, out));
        return;
      case "gate":
        this.#computedGate(statement, out);
        return;
      case "delay":
        this.#keep(statement, [], out, (statement.qubits as readonly number[][]).flat());
        return;
      case "break":
      case "continue":
        this.#keep(statement, [], out, this.#qubits);
        return;
      default: {
        const isIf = statement.kind === "if";
        const whole = isIf ? { ...statement, otherwise: statement.otherwise ?? [] } : statement;
        const bodies = bodiesOf(whole).map(body => this.list(body));
        this.#keep(whole, bodies, out);
      }
    }
  }

  #step(step: SingleStep, out: Operation[]): void {
    const [at, end] = step.range;
    const place: SourceLocation = at === NOWHERE ? {} : { at, end };
    if (step.kind === "gate") {
      const { gate, params, qubits } = step;
      const spare = gate.numQubits > 5 ? this.#qubits.filter(qubit => !qubits.includes(qubit)) : [];
      this.#add(out, gateOperations(gate, params, qubits, spare, place));
    } else if (step.kind === "measure")
      this.#add(out, [{ ...place, kind: "measure", qubits: [step.qubit], bit: step.bit }]);
    else if (step.kind === "reset") this.#add(out, [{ ...place, kind: "reset", qubits: [step.qubit] }]);
    else if (step.kind === "barrier") this.#add(out, [{ ...place, kind: "barrier", qubits: step.qubits }]);
  }

  #computedGate(statement: Statement & { kind: "gate" }, out: Operation[]): void {
    const qubits = statement.qubits.flatMap(list => list as readonly number[]);
    const gate = this.#parts.gates[statement.gate]!;
    const computed = computedOperations(gate, statement.params, qubits, placeOf(statement));
    if (computed) this.#add(out, computed);
    else
      throw new SimulationError(
        `${whereOf(this.#parts, statement.range?.[0])}A measurement decides the parameters of ${statement.name}; that is supported for the gates of stdgates.inc without further controls.`,
      );
  }

  #add(out: Operation[], operations: readonly Operation[]): void {
    this.#count += operations.length;
    if (this.#count > MAX_OPERATIONS)
      throw new SimulationError(
        `The program comes to more than ${MAX_OPERATIONS.toLocaleString("en-US")} operations, too many to transpile.`,
      );
    for (const operation of operations) out.push(operation);
  }

  /** Adds a statement that is carried out at run time, with the operations in it. */
  #keep(
    statement: Statement,
    bodies: readonly Operation[][],
    out: Operation[],
    qubits: readonly number[] = qubitsOf(bodies),
  ): void {
    this.#add(out, [{ ...placeOf(statement), kind: "statement", statement, bodies, qubits }]);
  }
}

const placeOf = ({ range }: Statement): SourceLocation => (range ? { at: range[0], end: range[1] } : {});

const qubitsOf = (bodies: readonly (readonly Operation[])[]): readonly number[] => [
  ...new Set(bodies.flatMap(body => body.flatMap(({ qubits }) => qubits))),
];
