import type { Expression } from "../circuit/expression.ts";
import type { Statement } from "../circuit/statement.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";

/** Place of an operation in the source: the offsets of its first character and of its end. */
export interface SourceLocation {
  readonly at?: number | undefined;
  readonly end?: number | undefined;
}

/** A one-qubit unitary, whatever gate it was. */
interface OneQubitOperation extends SourceLocation {
  readonly kind: "one-qubit";
  readonly qubits: readonly [number];
  readonly matrix: Matrix;
  /** The gate, where a single one has the matrix. */
  readonly gate?: { readonly name: string; readonly params: readonly number[] };
}

/** A two-qubit unitary, whatever gate it was; `name` is that of the gate, for messages. */
export interface TwoQubitOperation extends SourceLocation {
  readonly kind: "two-qubit";
  readonly qubits: readonly [number, number];
  readonly matrix: Matrix;
  readonly name: string;
}

/** A gate of the device. */
interface NativeOperation extends SourceLocation {
  readonly kind: "native";
  readonly name: string;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
}

/** A measurement; `bit` is null where the outcome is not kept. */
interface MeasureOperation extends SourceLocation {
  readonly kind: "measure";
  readonly qubits: readonly [number];
  readonly bit: number | null;
}

/** A rotation about Z by an angle that is computed while the program runs. */
interface RotationOperation extends SourceLocation {
  readonly kind: "rotation";
  readonly qubits: readonly [number];
  readonly angle: Expression;
}

/** A statement that is kept, with the operations of the statements within it. */
export interface StatementOperation extends SourceLocation {
  readonly kind: "statement";
  readonly statement: Statement;
  readonly bodies: readonly (readonly Operation[])[];
  /** Every qubit that it touches; all of the program's where nothing may pass it. */
  readonly qubits: readonly number[];
}

/** Operation on known qubits, the unit of transpilation. */
export type Operation =
  | OneQubitOperation
  | TwoQubitOperation
  | NativeOperation
  | MeasureOperation
  | RotationOperation
  | StatementOperation
  | ({ readonly kind: "reset"; readonly qubits: readonly [number] } & SourceLocation)
  | ({ readonly kind: "barrier"; readonly qubits: readonly number[] } & SourceLocation);

/** Whether an operation reads or writes classical memory, or decides what is done next. */
export const isClassical = ({ kind }: Operation): boolean =>
  kind === "measure" || kind === "statement" || kind === "rotation";

/** Returns operations in which lists, those within statements too, are replaced. */
export function mapBodies(
  operations: readonly Operation[],
  replace: (list: readonly Operation[]) => readonly Operation[],
): readonly Operation[] {
  const inner = operations.map(operation =>
    operation.kind === "statement" && operation.bodies.length > 0
      ? { ...operation, bodies: operation.bodies.map(body => mapBodies(body, replace)) }
      : operation,
  );
  return replace(inner);
}

/** Calls back for each operation, those within statements too. */
export function visitAll(operations: readonly Operation[], visit: (operation: Operation) => void): void {
  for (const operation of operations) {
    visit(operation);
    if (operation.kind === "statement") for (const body of operation.bodies) visitAll(body, visit);
  }
}

/** Returns operations on other qubits; where there is none for a qubit, barriers and delays leave it out. */
export function onPlaces(
  operations: readonly Operation[],
  placeOf: (qubit: number) => number | undefined,
): readonly Operation[] {
  return operations.flatMap(operation => {
    const qubits = operation.qubits.map(placeOf).filter(place => place !== undefined);
    if (operation.kind !== "statement")
      return qubits.length > 0 ? [{ ...operation, qubits } as Operation] : [];
    if (operation.statement.kind === "delay" && qubits.length === 0) return [];
    return [{ ...operation, qubits, bodies: operation.bodies.map(body => onPlaces(body, placeOf)) }];
  });
}
