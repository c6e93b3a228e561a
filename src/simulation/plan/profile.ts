import type { Circuit } from "../circuit/circuit.ts";
import { applyClifford, type CliffordTarget } from "../circuit/clifford.ts";
import { isList, type OperandIndices } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { OPERATION } from "../circuit/operations.ts";
import { bodiesOf, everyStatement, type Statement, type StatementList } from "../circuit/statement.ts";
import { measuresLast } from "../circuit/terminal-measurement.ts";
import { memoized } from "../memoized.ts";

/** The properties of a circuit by which a method is chosen, each computed once, on first use. */
class Profile {
  readonly #circuit: Circuit;
  #usedQubits: number | undefined;
  #isClifford: boolean | undefined;
  #hasMidCircuitDependence: boolean | undefined;

  constructor(circuit: Circuit) {
    this.#circuit = circuit;
  }

  /** Number of qubits that operations act on. */
  get usedQubits(): number {
    this.#usedQubits ??= activeQubitCount(this.#circuit);
    return this.#usedQubits;
  }

  /** The number of qubits in words. */
  get qubits(): string {
    return `${this.usedQubits} qubit${this.usedQubits === 1 ? "" : "s"}`;
  }

  get isClifford(): boolean {
    this.#isClifford ??= isClifford(this.#circuit);
    return this.#isClifford;
  }

  /** Whether the program uses qubits after it has measured them, or branches on an outcome. */
  get hasMidCircuitDependence(): boolean {
    this.#hasMidCircuitDependence ??= !measuresLast(this.#circuit.parts);
    return this.#hasMidCircuitDependence;
  }

  /** Number of operations; bodies of loops count once. */
  get gates(): number {
    return Math.max(1, this.#circuit.parts.operations.length + this.#circuit.parts.body.length);
  }
}

/** Returns the properties of a circuit by which a method is chosen. */
export const profileOf = memoized((circuit: Circuit) => new Profile(circuit));

/** Returns how many qubits operations act on; those that are computed may be any of their register. */
export function activeQubitCount({ parts, numQubits }: Circuit): number {
  const used = new Uint8Array(numQubits);
  let count = 0;
  const markOne = (qubit: number): void => {
    count += 1 - used[qubit]!;
    used[qubit] = 1;
  };
  const mark = (indices: OperandIndices): void => {
    if (isList(indices)) indices.forEach(markOne);
    else if (indices.kind === "members") mark(indices.base);
    else if (indices.kind === "joined") indices.parts.forEach(mark);
    else for (let qubit = 0; qubit < numQubits; qubit++) markOne(qubit);
  };
  const { kinds, operandStarts, operands } = parts.operations;
  const usesAll = (statements: StatementList): boolean =>
    statements.some(statement => {
      switch (statement.kind) {
        case "operations":
          for (let i = statement.start; i < statement.end && count < numQubits; i++) {
            if (kinds[i] === OPERATION.barrier) continue;
            const first = operandStarts[i]!;
            const end = kinds[i] === OPERATION.measure ? first + 1 : operandStarts[i + 1]!;
            for (let at = first; at < end; at++) markOne(operands[at]!);
          }
          break;
        case "gate":
          statement.qubits.forEach(mark);
          break;
        case "measure":
        case "reset":
          mark(statement.qubits);
          break;
        default:
          return bodiesOf(statement).some(usesAll);
      }
      return count === numQubits;
    });
  usesAll(parts.body);
  return count;
}

/** Clifford gates that nobody applies, where it is only of interest whether there are others. */
export const IGNORE_GATES: CliffordTarget = {
  h: () => {},
  s: () => {},
  x: () => {},
  z: () => {},
  cx: () => {},
  cz: () => {},
  swap: () => {},
};

/** Whether all gates of a circuit are known, and Clifford gates; angles that are multiples of π/2 are. */
export function isClifford({ parts }: Circuit): boolean {
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  const isKnown = new Uint8Array(parts.gates.length);
  for (let i = 0; i < parts.operations.length; i++) {
    if (kinds[i] !== OPERATION.gate || isKnown[gates[i]!]) continue;
    const gate = parts.gates[gates[i]!]!;
    if (gate.numParams === 0) isKnown[gates[i]!] = 1;
    if (!applyClifford(gate, params, paramStarts[i]!, operands, operandStarts[i]!, IGNORE_GATES))
      return false;
  }
  return everyStatement(
    parts.body,
    statement => statement.kind !== "gate" || isKnownClifford(parts.gates[statement.gate]!, statement),
  );
}

/** Whether a gate whose qubits are computed is itself known, with its parameters, and a Clifford gate. */
function isKnownClifford(gate: Gate, { modifiers, params }: Statement & { kind: "gate" }): boolean {
  const values = params.map(({ value }) => value);
  if (modifiers.length > 0 || values.includes(undefined)) return false;
  const qubits = Array.from({ length: gate.numQubits }, (_, i) => i);
  return applyClifford(gate, values as number[], 0, qubits, 0, IGNORE_GATES);
}
