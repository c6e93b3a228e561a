import type { CircuitParts, Outline } from "../circuit/circuit.ts";
import { OPERATION } from "../circuit/operations.ts";

/** A wire: a qubit, a classical register, or those that are left out. */
export interface Row {
  readonly label: string;
  readonly isClassical: boolean;
}

/** Most qubits, and classical registers, that have a wire of their own. */
const MAX_WIRES = 60;

/** The wires of a circuit, and which of them its qubits and bits are on. Beyond the limit, one wire stands for all the rest. */
export class Rows {
  readonly rows: readonly Row[];
  readonly hiddenQubits: number;
  /** How many qubits have a wire of their own. */
  readonly shown: number;
  /** The row of the first classical register. */
  readonly firstClassical: number;
  readonly #parts: CircuitParts;
  readonly #bits = new Map<number, { readonly row: number; readonly index: number }>();
  readonly #qubitLists = new WeakMap<readonly number[], readonly number[]>();
  readonly #bitLists = new WeakMap<readonly number[], readonly number[]>();
  readonly #reaches = new WeakMap<Outline, ReadonlySet<number>>();

  constructor(parts: CircuitParts) {
    this.#parts = parts;
    this.shown = Math.min(parts.numQubits, MAX_WIRES);
    this.hiddenQubits = parts.numQubits - this.shown;
    const rows: Row[] = qubitLabels(parts, this.shown).map(label => ({ label, isClassical: false }));
    if (this.hiddenQubits > 0) rows.push({ label: `… ${this.hiddenQubits} more qubits`, isClassical: false });
    this.firstClassical = rows.length;
    parts.classical.forEach(({ name, offset, width }, i) => {
      if (i < MAX_WIRES) rows.push({ label: width > 1 ? `${name}[${width}]` : name, isClassical: true });
      const row = this.firstClassical + Math.min(i, MAX_WIRES);
      for (let index = 0; index < width; index++) this.#bits.set(offset + index, { row, index });
    });
    const hidden = parts.classical.length - MAX_WIRES;
    if (hidden > 0) rows.push({ label: `… ${hidden} more registers`, isClassical: true });
    this.rows = rows;
  }

  /** Returns the row of a qubit. */
  qubit(qubit: number): number {
    return Math.min(qubit, this.shown);
  }

  /** Returns the row of a bit and its place in the register, or undefined for one that belongs to none. */
  bit(bit: number): { readonly row: number; readonly index: number } | undefined {
    return this.#bits.get(bit);
  }

  /** Returns the rows of qubits, each once. */
  qubits(list: readonly number[]): readonly number[] {
    return remembered(this.#qubitLists, list, () => [...new Set(list.map(qubit => this.qubit(qubit)))]);
  }

  /** Returns the rows of bits, each once. */
  bits(list: readonly number[]): readonly number[] {
    return remembered(this.#bitLists, list, () => [
      ...new Set(list.flatMap(bit => this.bit(bit)?.row ?? [])),
    ]);
  }

  /** Returns the rows that a part of the outline touches. */
  reach(node: Outline): ReadonlySet<number> {
    return remembered(this.#reaches, node, () => {
      if (node.kind === "dynamic") return new Set([...this.qubits(node.qubits), ...this.bits(node.bits)]);
      if (node.kind === "operations") return this.#touched(node.start, node.end);
      return new Set(node.body.flatMap(inner => [...this.reach(inner)]));
    });
  }

  #touched(start: number, end: number): Set<number> {
    const rows = new Set<number>();
    const { kinds, operands, operandStarts } = this.#parts.operations;
    for (let i = start; i < end; i++)
      for (let at = operandStarts[i]!; at < operandStarts[i + 1]!; at++) {
        const isBit = kinds[i] === OPERATION.measure && at === operandStarts[i]! + 1;
        const row = isBit ? this.bit(operands[at]!)?.row : this.qubit(operands[at]!);
        if (row !== undefined) rows.add(row);
      }
    return rows;
  }
}

function remembered<K extends object, V>(memory: WeakMap<K, V>, key: K, make: () => V): V {
  let value = memory.get(key);
  if (value === undefined) {
    value = make();
    memory.set(key, value);
  }
  return value;
}

function qubitLabels(parts: CircuitParts, shown: number): string[] {
  const labels: string[] = [];
  for (const { name, offset, size } of parts.quantum)
    for (let i = 0; i < size && offset + i < shown; i++)
      labels.push(name === "$" ? `$${i}` : size > 1 ? `${name}[${i}]` : name);
  return labels;
}
