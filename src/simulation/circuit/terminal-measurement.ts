import type { CircuitParts } from "./circuit-parts.ts";
import { isList, type OperandIndices } from "./expression.ts";
import { OPERATION } from "./operations.ts";
import { bodiesOf, type Statement, type StatementList } from "./statement.ts";

/**
 * Whether measurements are the last that happens to qubits, and nothing that is done depends on an outcome. Where
 * operands are computed, all that they might be counts; loops are taken to run again.
 */
export const measuresLast = (parts: CircuitParts): boolean =>
  !isReused(parts, parts.body, new MeasuredQubits(parts.numQubits)) && !new OutcomeFlow().steers(parts);

const ANYWHERE = -1;

/** Whether what is in a statement may run again: in a loop, or in a subroutine that calls itself. */
const isRepeated = (statement: Statement): boolean =>
  ["for", "while", "graph"].includes(statement.kind) ||
  (statement.kind === "subroutine" && statement.frame !== null);

/** Returns the values that decide how a statement acts on qubits, or which statements in it run. */
const inputsOf = (statement: Statement): unknown =>
  INPUTS[statement.kind]?.map(key => (statement as unknown as Readonly<Record<string, unknown>>)[key]);

const INPUTS: { readonly [K in Statement["kind"]]?: readonly string[] } = {
  ...{ gate: ["params", "modifiers", "qubits"], reset: ["qubits"], delay: ["duration", "qubits"] },
  ...{ box: ["duration"], duration: ["duration"], if: ["condition"], while: ["condition"] },
  ...{ for: ["values"], switch: ["value"] },
};

class MeasuredQubits {
  readonly #flags: Uint8Array;
  count = 0;

  constructor(numQubits: number) {
    this.#flags = new Uint8Array(numQubits);
  }

  has(qubit: number): boolean {
    return this.#flags[qubit] === 1;
  }

  add(qubit: number): void {
    if (this.#flags[qubit] === 0) this.count += 1;
    this.#flags[qubit] = 1;
  }

  /** Adds operands, all qubits where these are computed. */
  addAll(indices: OperandIndices): void {
    for (const qubit of isList(indices) ? indices : this.#flags.keys()) this.add(qubit);
  }

  touches(indices: OperandIndices): boolean {
    return isList(indices) ? indices.some(qubit => this.has(qubit)) : this.count > 0;
  }
}

/** Whether something acts on a measured qubit; adds what is measured. */
function isReused(parts: CircuitParts, statements: StatementList, measured: MeasuredQubits): boolean {
  const { kinds, operandStarts, operands } = parts.operations;
  return statements.some(statement => {
    switch (statement.kind) {
      case "operations":
        for (let i = statement.start; i < statement.end; i++) {
          const first = operandStarts[i]!;
          if (kinds[i] === OPERATION.barrier) continue;
          const count = kinds[i] === OPERATION.measure ? 1 : operandStarts[i + 1]! - first;
          for (let at = first; at < first + count; at++) if (measured.has(operands[at]!)) return true;
          if (kinds[i] === OPERATION.measure) measured.add(operands[first]!);
        }
        return false;
      case "gate":
        return statement.qubits.some(indices => measured.touches(indices));
      case "reset":
        return measured.touches(statement.qubits);
      case "measure":
        if (measured.touches(statement.qubits)) return true;
        measured.addAll(statement.qubits);
        return false;
      default: {
        const { count } = measured;
        const isReusedWithin = () => bodiesOf(statement).some(body => isReused(parts, body, measured));
        // A second round sees what the first one measured; without that it would see the same again.
        return isReusedWithin() || (isRepeated(statement) && measured.count > count && isReusedWithin());
      }
    }
  });
}

/** The classical memory that outcomes may be in, wherever in the program they get there. */
class OutcomeFlow {
  readonly #bits = new Set<number>();
  readonly #slots = new Set<number>();

  /** Whether anything but classical memory depends on an outcome. */
  steers({ operations, body }: CircuitParts): boolean {
    for (let i = 0; i < operations.length; i++)
      if (operations.kinds[i] === OPERATION.measure)
        this.#write(this.#bits, [operations.operands[operations.operandStarts[i]! + 1]!]);
    for (let size = -1; size !== this.#bits.size + this.#slots.size; ) {
      size = this.#bits.size + this.#slots.size;
      if (this.#visit(body)) return true;
    }
    return false;
  }

  /** Whether one of some statements depends on an outcome; follows outcomes through assignments. */
  #visit(statements: StatementList): boolean {
    return statements.some(statement => this.#steersIn(statement));
  }

  #steersIn(statement: Statement): boolean {
    switch (statement.kind) {
      case "assign":
        if (this.#holds(statement.value)) this.#slots.add(statement.slot);
        return false;
      case "resolve":
        if (this.#holds(statement.indices)) this.#slots.add(statement.slot);
        return false;
      case "fill":
        if (this.#holds([statement.slots, statement.values])) this.#write(this.#slots, statement.slots);
        return false;
      case "store":
        if (this.#holds([statement.bits, statement.value])) this.#write(this.#bits, statement.bits);
        return false;
      case "measure":
        this.#write(this.#bits, statement.bits ?? []);
        return this.#holds([statement.qubits, statement.bits]);
      case "graph":
        for (const { slot, value } of statement.blocks.flatMap(({ edges }) =>
          edges.flatMap(edge => edge.moves),
        ))
          if (this.#holds(value)) this.#slots.add(slot);
        if (statement.blocks.some(({ edges }) => edges.some(edge => this.#holds(edge.condition))))
          return true;
        break;
      default:
        if (this.#holds(inputsOf(statement))) return true;
    }
    return bodiesOf(statement).some(body => this.#visit(body));
  }

  /** Notes that outcomes are written to bits or slots, to any where it is computed to which. */
  #write(memory: Set<number>, indices: OperandIndices): void {
    for (const index of isList(indices) ? indices : [ANYWHERE]) memory.add(index);
  }

  /** Whether an expression, or operands, or several of them, are computed of outcomes. */
  #holds(data: unknown): boolean {
    if (typeof data !== "object" || data === null) return false;
    if (Array.isArray(data)) return data.some(each => this.#holds(each));
    const node = data as { kind?: string; slot?: number; bits?: OperandIndices; slots?: OperandIndices };
    if (node.kind === "slot") return this.#reads(this.#slots, [node.slot!]);
    if (node.kind === "bits" && node.bits && this.#reads(this.#bits, node.bits)) return true;
    if (node.slots && this.#reads(this.#slots, node.slots)) return true;
    return Object.values(node).some(each => this.#holds(each));
  }

  #reads(memory: Set<number>, indices: OperandIndices): boolean {
    if (memory.has(ANYWHERE) || !isList(indices)) return memory.size > 0;
    return indices.some(index => memory.has(index));
  }
}
