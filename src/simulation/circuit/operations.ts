import type { CircuitParts } from "./circuit-parts.ts";
import { type Gate, listed, type Numbers } from "./gate.ts";
import type { SourceRange } from "./statement.ts";

/** Codes of operations of the static part. */
export const OPERATION = { gate: 0, measure: 1, reset: 2, barrier: 3 } as const;

/** The operand of a measurement whose outcome is not kept. */
export const NO_BIT = 0xffffffff;

/**
 * Operations whose operands are known before the run, in columns.
 * Operation `i` owns `operands` and `params` from its own start up to the start of operation `i + 1`;
 * its operands are qubits, or for a measurement the qubit and the classical bit.
 */
export interface Operations {
  readonly length: number;
  readonly kinds: Uint8Array;
  readonly gates: Uint32Array;
  readonly operandStarts: Uint32Array;
  readonly operands: Uint32Array;
  readonly paramStarts: Uint32Array;
  readonly params: Float64Array;
  /** Place of each operation in the source: the offset of its first character, or {@link NOWHERE}, and of its end. */
  readonly offsets: Uint32Array;
  readonly ends: Uint32Array;
}

/** The offset of an operation that stands nowhere. */
export const NOWHERE = 0xffffffff;

/** Returns the operands of one of several operations: each list has one for each of them, or one for all. */
export const operandsAt = (lists: readonly (readonly number[])[], i: number): number[] =>
  lists.map(list => list[list.length === 1 ? 0 : i]!);

type Column = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

const room = <T extends Column>(column: T, needed: number): T =>
  needed <= column.length ? column : resized(column, Math.max(needed, 2 * column.length));

/** Returns a column of another length, which takes the memory of the one that is given. */
function resized<T extends Column>(column: T, length: number): T {
  const Kind = column.constructor as new (buffer: ArrayBuffer) => T;
  return new Kind(column.buffer.transfer(length * column.BYTES_PER_ELEMENT));
}

/** The number of operations from which on those that are added together are added at the end. */
const MANY = 16;

/** Collects operations into columns that grow by doubling. */
export class OperationsBuilder {
  #length = 0;
  #numOperands = 0;
  #numParams = 0;
  #kinds = new Uint8Array(64);
  #gates = new Uint32Array(64);
  #operandStarts = new Uint32Array(65);
  #operands = new Uint32Array(128);
  #paramStarts = new Uint32Array(65);
  #params = new Float64Array(32);
  #offsets = new Uint32Array(64);
  #ends = new Uint32Array(64);

  /** Operations that are added at the end: how many of the columns come before them, and what adds them. */
  readonly #deferred: { readonly after: number; readonly write: (all: OperationsBuilder) => void }[] = [];
  #numDeferred = 0;

  get length(): number {
    return this.#length + this.#numDeferred;
  }

  /** Begins an operation; its operands and parameters follow. */
  begin(kind: number, gate = 0, start = NOWHERE, end = NOWHERE): void {
    const at = this.#length++;
    if (this.#length > this.#kinds.length) {
      this.#kinds = room(this.#kinds, this.#length);
      this.#gates = room(this.#gates, this.#length);
      this.#offsets = room(this.#offsets, this.#length);
      this.#ends = room(this.#ends, this.#length);
      this.#operandStarts = room(this.#operandStarts, this.#kinds.length + 1);
      this.#paramStarts = room(this.#paramStarts, this.#kinds.length + 1);
    }
    this.#kinds[at] = kind;
    this.#gates[at] = gate;
    this.#offsets[at] = start;
    this.#ends[at] = end;
    this.#operandStarts[this.#length] = this.#numOperands;
    this.#paramStarts[this.#length] = this.#numParams;
  }

  /** Adds a number of operations: many of them at the end, so a program that has too many is refused before that. */
  addMany(count: number, write: (all: OperationsBuilder) => void, isDeferred = count >= MANY): void {
    if (!isDeferred) write(this);
    else {
      this.#deferred.push({ after: this.#length, write });
      this.#numDeferred += count;
    }
  }

  /** Adds existing operations again. */
  repeat(start: number, end: number): void {
    const isWritten = end <= (this.#deferred[0]?.after ?? this.#length);
    this.addMany(end - start, all => all.#copy(all, start, end), !isWritten || end - start >= MANY);
  }

  #copy(from: OperationsBuilder, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      this.begin(from.#kinds[at]!, from.#gates[at], from.#offsets[at], from.#ends[at]);
      for (let i = from.#operandStarts[at]!; i < from.#operandStarts[at + 1]!; i++)
        this.operand(from.#operands[i]!);
      for (let i = from.#paramStarts[at]!; i < from.#paramStarts[at + 1]!; i++) this.param(from.#params[i]!);
    }
  }

  /** Adds an operand to the operation that was begun last. */
  operand(value: number): void {
    if (this.#numOperands === this.#operands.length)
      this.#operands = room(this.#operands, this.#numOperands + 1);
    this.#operands[this.#numOperands++] = value;
    this.#operandStarts[this.#length] = this.#numOperands;
  }

  /** Adds a parameter to the operation that was begun last. */
  param(value: number): void {
    if (this.#numParams === this.#params.length) this.#params = room(this.#params, this.#numParams + 1);
    this.#params[this.#numParams++] = value;
    this.#paramStarts[this.#length] = this.#numParams;
  }

  /** Returns the columns, cut to their length; nothing is added after that. */
  finish(): Operations {
    if (this.#deferred.length === 0) return this.#own();
    const all = new OperationsBuilder();
    let done = 0;
    for (const { after, write } of this.#deferred) {
      all.#copy(this, done, after);
      done = after;
      write(all);
    }
    all.#copy(this, done, this.#length);
    return all.#own();
  }

  #own(): Operations {
    const length = this.#length;
    return {
      length,
      kinds: resized(this.#kinds, length),
      gates: resized(this.#gates, length),
      operandStarts: resized(this.#operandStarts, length + 1),
      operands: resized(this.#operands, this.#numOperands),
      paramStarts: resized(this.#paramStarts, length + 1),
      params: resized(this.#params, this.#numParams),
      offsets: resized(this.#offsets, length),
      ends: resized(this.#ends, length),
    };
  }
}

/** An operation on known qubits, and its place in the source. */
export type SingleOperation = { readonly range: SourceRange } & (
  | {
      readonly kind: "gate";
      readonly gate: Gate;
      readonly params: readonly number[];
      readonly qubits: readonly number[];
    }
  /** A measurement; `bit` is null if the outcome is not kept. */
  | { readonly kind: "measure"; readonly qubit: number; readonly bit: number | null }
  | { readonly kind: "reset"; readonly qubit: number }
  | { readonly kind: "barrier"; readonly qubits: readonly number[] }
);

/** Returns an operation of a circuit by its place among all. */
export function operationAt({ operations, gates }: CircuitParts, i: number): SingleOperation {
  const { kinds, operands, operandStarts, params, paramStarts, offsets, ends } = operations;
  const range: SourceRange = [offsets[i]!, ends[i]!];
  const qubits = numbersOf(operands, operandStarts, i);
  const [qubit, bit] = qubits as [number, number];
  switch (kinds[i]) {
    case OPERATION.measure:
      return { kind: "measure", qubit, bit: bit === NO_BIT ? null : bit, range };
    case OPERATION.reset:
      return { kind: "reset", qubit, range };
    case OPERATION.barrier:
      return { kind: "barrier", qubits, range };
    default: {
      const given = numbersOf(params, paramStarts, i);
      return { kind: "gate", gate: gates[operations.gates[i]!]!, params: given, qubits, range };
    }
  }
}

/** Returns the numbers of an operation in a column. */
const numbersOf = (column: Numbers, starts: Numbers, i: number): number[] =>
  listed(column, starts[i]!, starts[i + 1]! - starts[i]!);
