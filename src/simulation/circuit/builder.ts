import { remembered } from "../memoized.ts";
import { Circuit } from "./circuit.ts";
import type { CircuitParts, ClassicalRegister, Note, OutputVariable, Register } from "./circuit-parts.ts";
import type { Gate } from "./gate.ts";
import { OperationsBuilder } from "./operations.ts";
import { bodiesOf, type MemoryRange, type SourceRange, type Statement, withBodies } from "./statement.ts";

type Run = Extract<Statement, { kind: "operations" }> & { end: number };

/** Collects what a circuit is made of while a program is lowered. */
export class CircuitBuilder {
  readonly operations = new OperationsBuilder();
  quantum: Register[] = [];
  classical: ClassicalRegister[] = [];
  outputs: OutputVariable[] = [];
  /** Inputs without a value, whether they are used or not. */
  inputs: CircuitParts["inputs"][number][] = [];
  notes: Note[] = [];
  /** Whether the program asks to be run on a device as it is written. */
  isVerbatim = false;
  /** Place in the source of the added operations. */
  range: SourceRange | undefined;
  source: CircuitParts["source"] = null;
  numQubits = 0;
  numBits = 0;
  numSlots = 0;
  readonly #gates: Gate[] = [];
  readonly #gatePlaces = new Map<Gate, number>();
  #body: Statement[] = [];
  #numStatements = 0;
  /** The run that was added last, which continues with the next operation unless it is sealed. */
  #run: Run = { kind: "operations", start: 0, end: 0 };
  #isSealed = true;

  /** Makes a builder with the registers, memory and results of another circuit, but without its statements. */
  static like(parts: CircuitParts): CircuitBuilder {
    const builder = new CircuitBuilder();
    builder.quantum = [...parts.quantum];
    builder.classical = [...parts.classical];
    builder.outputs = [...parts.outputs];
    builder.inputs = [...parts.inputs];
    builder.notes = [...parts.notes];
    builder.isVerbatim = parts.isVerbatim === true;
    builder.source = parts.source && { ...parts.source, isTransformed: true };
    builder.numQubits = parts.numQubits;
    builder.numBits = parts.numBits;
    builder.numSlots = parts.numSlots;
    return builder;
  }

  get length(): number {
    return this.operations.length + this.#numStatements;
  }

  /** Returns the place of a gate in the circuit's list. */
  gateIndex(gate: Gate): number {
    return remembered(this.#gatePlaces, gate, () => this.#gates.push(gate) - 1);
  }

  /** Begins an operation with known operands, which follow through {@link operations}. */
  operation(kind: number, gate = 0, at = this.range?.[0], end = this.range?.[1]): void {
    this.operations.begin(kind, gate, at, end);
    this.#extendRun(1);
  }

  #extendRun(count: number): void {
    const { length } = this.operations;
    if (this.#isSealed) {
      this.#run = { kind: "operations", start: length - count, end: length };
      this.add(this.#run);
      this.#isSealed = false;
    } else this.#run.end = length;
  }

  addOperation(kind: number, operands: Iterable<number>, gate = 0, params: readonly number[] = []): void {
    this.operation(kind, gate);
    for (const operand of operands) this.operations.operand(operand);
    for (const param of params) this.operations.param(param);
  }

  /** Adds a number of operations on known operands. Operation `i` takes entry `i` of each list; a list of one serves all. */
  broadcast(
    length: number,
    operation: number,
    operands: readonly (readonly number[])[],
    gate = 0,
    params: readonly number[] = [],
  ): void {
    const [at, end] = this.range ?? [];
    this.operations.addMany(length, all => {
      for (let i = 0; i < length; i++) {
        all.begin(operation, gate, at, end);
        for (const list of operands) all.operand(list[list.length === 1 ? 0 : i]!);
        for (const param of params) all.param(param);
      }
    });
    if (length > 0) this.#extendRun(length);
  }

  add(statement: Statement): void {
    this.#isSealed = true;
    this.#numStatements++;
    const range = statement.kind === "operations" ? undefined : this.range;
    this.#body.push(range && !statement.range ? { ...statement, range } : statement);
  }

  /** Returns the statements that `fill` adds, and adds none of them. */
  collect(fill: () => void): Statement[] {
    const [outer, range] = [this.#body, this.range];
    const body: Statement[] = [];
    this.#body = body;
    this.#isSealed = true;
    try {
      fill();
    } finally {
      this.#body = outer;
      this.range = range;
      this.#isSealed = true;
    }
    return body.slice();
  }

  /** Returns statements to be added once more: operations are repeated, and everything else is shared. */
  repeat(statements: readonly Statement[]): readonly Statement[] {
    const repeated = statements.map(statement => this.#repeated(statement));
    return repeated.every((statement, i) => statement === statements[i]) ? statements : repeated;
  }

  #repeated(statement: Statement): Statement {
    if (statement.kind === "operations") {
      const start = this.operations.length;
      this.operations.repeat(statement.start, statement.end);
      return { ...statement, start, end: this.operations.length };
    }
    const bodies = bodiesOf(statement);
    const repeated = bodies.map(body => this.repeat(body));
    return repeated.every((body, i) => body === bodies[i]) ? statement : withBodies(statement, repeated);
  }

  /** Returns the statements that were added so far, and takes them out. */
  take(): Statement[] {
    this.#isSealed = true;
    return this.#body.splice(0);
  }

  /** Limits the lifetime of the slots and bits that `fill` takes to the statements that it adds. */
  withLifetime(fill: () => void): void {
    const [slot, bit, first] = [this.numSlots, this.numBits, this.position];
    fill();
    if (this.numSlots === slot && this.numBits === bit) return;
    this.limitLifetime({ slots: [slot, this.numSlots], bits: [bit, this.numBits] }, first);
  }

  get position(): number {
    return this.#body.length;
  }

  /** Limits the lifetime of memory to the statements from a position on. */
  limitLifetime(memory: MemoryRange, first: number): void {
    const body = this.#body.splice(first);
    const [only] = body;
    if (!only) return;
    this.#isSealed = true;
    const isLimited = body.length === 1 && only.kind === "scope" && isSame(only.memory, memory);
    this.#body.push(isLimited ? only : { kind: "scope", memory, body });
  }

  finish(): Circuit {
    return new Circuit({
      numQubits: this.numQubits,
      numBits: this.numBits,
      numSlots: this.numSlots,
      quantum: this.quantum,
      classical: this.classical,
      gates: this.#gates,
      operations: this.operations.finish(),
      body: this.#body,
      outputs: this.outputs,
      source: this.source,
      inputs: this.inputs,
      notes: this.notes,
      ...(this.isVerbatim ? { isVerbatim: true } : {}),
    });
  }
}

const isSame = (a: MemoryRange, b: MemoryRange): boolean =>
  [...a.slots, ...a.bits].join() === [...b.slots, ...b.bits].join();
