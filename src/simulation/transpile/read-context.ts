import type { CircuitParts } from "../circuit/circuit.ts";
import { isList, type OperandIndices } from "../circuit/expression.ts";
import type { Statement, StatementList } from "../circuit/statement.ts";
import { SimulationError } from "../errors.ts";
import { locate } from "../interpreter/locations.ts";
import { KnownMemory } from "./known-memory.ts";
import type { Operation, SourceLocation } from "./operation.ts";

const MAX_OPERATIONS = 1_000_000;

/** A statement of one kind. */
export type StatementOf<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;

/** How statements end: with the next one, or with a jump that is known to be taken. */
export type Ending = "next" | "break" | "continue" | "return" | "end";

/** Jumps that are left in the operations, since measurements decide them. */
export interface KeptJumps {
  breaks: number;
  continues: number;
  returns: number;
}

/** Returns no jumps. */
export const noJumps = (): KeptJumps => ({ breaks: 0, continues: 0, returns: 0 });

/** What is known while a program is read, up to the statement that is read. */
export class ReadContext {
  readonly parts: CircuitParts;
  /** All qubits of the program that are to have a place. */
  readonly qubits: readonly number[];
  /** Reads statements in this context. */
  readonly read: (statements: StatementList, out: Operation[]) => Ending;
  memory = new KnownMemory();
  /** Operations so far. */
  count = 0;
  /** Jumps that were kept in the loop that is unrolled. */
  kept = noJumps();

  constructor(
    parts: CircuitParts,
    qubits: readonly number[],
    read: (context: ReadContext, statements: StatementList, out: Operation[]) => Ending,
  ) {
    this.parts = parts;
    this.qubits = qubits;
    this.read = (statements, out) => read(this, statements, out);
  }

  /** Adds operations to a list. */
  add(out: Operation[], operations: readonly Operation[]): void {
    this.count += operations.length;
    if (this.count > MAX_OPERATIONS)
      throw new SimulationError(
        `The program comes to more than ${MAX_OPERATIONS.toLocaleString("en-US")} operations, too many to transpile.`,
      );
    for (const operation of operations) out.push(operation);
  }

  /** Adds a statement that is carried out at run time, with the operations in it. */
  keep(
    out: Operation[],
    statement: Statement,
    bodies: readonly Operation[][] = [],
    qubits: readonly number[] = qubitsOf(bodies),
  ): void {
    this.add(out, [{ ...locationOf(statement), kind: "statement", statement, bodies, qubits }]);
  }

  /** Returns the qubits that operands of a statement name. */
  knownQubits(operands: OperandIndices, statement: Statement): readonly number[] {
    const qubits = isList(operands) ? operands : this.memory.indices(operands);
    if (qubits) return qubits;
    throw new SimulationError(
      `${this.where(statement)}A measurement decides which qubit is meant; a device has to know it before the run.`,
    );
  }

  /** Returns where a statement stands, for the beginning of a message. */
  where(statement: Statement): string {
    const place = locate(this.parts, statement.range?.[0]);
    return place ? `${place}: ` : "";
  }
}

/** Returns where in the source a statement stands. */
export const locationOf = ({ range }: Statement): SourceLocation =>
  range ? { at: range[0], end: range[1] } : {};

const qubitsOf = (bodies: readonly (readonly Operation[])[]): readonly number[] => [
  ...new Set(bodies.flatMap(body => body.flatMap(({ qubits }) => qubits))),
];
