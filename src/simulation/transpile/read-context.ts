import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluator, indexEvaluator } from "../circuit/evaluate.ts";
import { type Expression, isList, type OperandIndices } from "../circuit/expression.ts";
import { type Compute, DeferredMeasurement, type Memory, type Value } from "../circuit/memory.ts";
import type { Statement, StatementList } from "../circuit/statement.ts";
import { SimulationError } from "../errors.ts";
import { locate } from "../interpreter/locations.ts";
import type { Operation, SourceLocation } from "./operation.ts";

const MAX_OPERATIONS = 1_000_000;

/** A statement of one kind. */
export type StatementOf<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;

/** How statements end: with the next one, or with a jump that is known to be taken. */
export type Ending = "next" | "break" | "continue" | "return" | "end";

/** Jumps that are left in the operations, since measurements decide them. */
interface KeptJumps {
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

const UNKNOWN = new DeferredMeasurement();
const computes = new WeakMap<object, Compute>();
const indexComputes = new WeakMap<object, Compute<readonly number[]>>();

/** Classical memory of which only a part is known before the run: a bit is, until something is measured into it. */
export class KnownMemory implements Memory {
  readonly slots: Value[];
  #values: Map<number, Value>;
  #bits: Map<number, number | null>;

  constructor(values = new Map<number, Value>(), bits = new Map<number, number | null>()) {
    this.#values = values;
    this.#bits = bits;
    this.slots = new Proxy([] as Value[], {
      get: (_, slot) => {
        const value = this.#values.get(Number(slot));
        if (value === undefined) throw UNKNOWN;
        return value;
      },
    });
  }

  readBit(bit: number): number {
    const value = this.#bits.get(bit);
    if (value === null) throw UNKNOWN;
    return value ?? 0;
  }

  writeBit(bit: number, value: number | null): void {
    this.#bits.set(bit, value);
  }

  /** Sets a slot; undefined makes it unknown. */
  set(slot: number, value: Value | undefined): void {
    if (value === undefined) this.#values.delete(slot);
    else this.#values.set(slot, value);
  }

  /** Returns an independent copy. */
  copy(): KnownMemory {
    return new KnownMemory(new Map(this.#values), new Map(this.#bits));
  }

  /** Forgets what another memory does not know, or knows otherwise. */
  meet(other: KnownMemory): void {
    for (const [slot, value] of this.#values)
      if (!isSame(other.#values.get(slot), value)) this.#values.delete(slot);
    for (const bit of new Set([...this.#bits.keys(), ...other.#bits.keys()]))
      if ((this.#bits.get(bit) ?? 0) !== (other.#bits.get(bit) ?? 0) || this.#isUnknown(bit, other))
        this.#bits.set(bit, null);
  }

  #isUnknown(bit: number, other: KnownMemory): boolean {
    return this.#bits.get(bit) === null || other.#bits.get(bit) === null;
  }

  /** Takes over what another memory knows. */
  become(other: KnownMemory): void {
    this.#values = new Map(other.#values);
    this.#bits = new Map(other.#bits);
  }

  /** Returns the value of an expression, or undefined where it is not known before the run. */
  value(node: Expression): Value | undefined {
    return this.attempt(computeOf(node));
  }

  /** Returns the numbers of operands, or undefined where they are not known before the run. */
  indices(operands: OperandIndices): readonly number[] | undefined {
    let run = indexComputes.get(operands);
    if (!run) {
      run = indexEvaluator(operands);
      indexComputes.set(operands, run);
    }
    return this.attempt(run);
  }

  /** Computes something, or returns undefined where that is not known before the run. */
  attempt<T>(compute: (memory: Memory) => T): T | undefined {
    try {
      return compute(this);
    } catch (error) {
      if (error instanceof DeferredMeasurement) return undefined;
      throw error;
    }
  }
}

function computeOf(node: Expression): Compute {
  let run = computes.get(node);
  if (!run) {
    run = evaluator(node);
    computes.set(node, run);
  }
  return run;
}

function isSame(a: Value | undefined, b: Value): boolean {
  if (typeof a !== "object" || typeof b !== "object") return Object.is(a, b);
  const text = (value: Value) =>
    JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `${inner}n` : inner));
  return text(a) === text(b);
}
