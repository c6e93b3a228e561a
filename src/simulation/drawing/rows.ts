import type { CircuitParts } from "../circuit/circuit.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import type { StructuredBody, StructuredNode } from "../circuit/structured-body.ts";
import { remembered } from "../memoized.ts";
import { shortened, shortenedName } from "./labels.ts";

/** A wire: a qubit, a classical register, or those that are left out. */
export interface Row {
  readonly name: string;
  /** The index of the qubit, or the size of a register of more than one bit: `[3]`. */
  readonly index: string;
  readonly isClassical: boolean;
}

/** Maximum number of qubits, and of classical registers, that have their own wire. */
const MAX_WIRES = 60;
const MAX_IDLE_RANGES = 6;

/** The wires of a circuit, and which of them its qubits and bits are on. Beyond the limit, one wire stands for all the rest. */
export class Rows {
  readonly rows: readonly Row[];
  /** The qubits and registers that are idle and not drawn, as a string; empty where there are none. */
  readonly idle: string;
  /** The row shared by the qubits beyond the limit, or -1. */
  readonly rest: number;
  readonly firstClassical: number;
  readonly #parts: CircuitParts;
  /** The row of each qubit, or -1. */
  readonly #qubits: Int32Array;
  readonly #bits = new Map<number, { readonly row: number; readonly index: number | null }>();
  readonly #variables: number;
  readonly #qubitLists = new WeakMap<readonly number[], readonly number[]>();
  readonly #bitLists = new WeakMap<readonly number[], readonly number[]>();
  readonly #reaches = new WeakMap<StructuredNode, ReadonlySet<number>>();

  constructor(
    parts: CircuitParts,
    body: StructuredBody,
    { idleWires = false, reverseBits = false }: { idleWires?: boolean; reverseBits?: boolean },
  ) {
    this.#parts = parts;
    const used = wiresInUse(parts, body);
    const isShown = (isUsed: number | boolean) => idleWires || !used.any || Boolean(isUsed);
    const names = qubitNames(parts);
    const all = [...Array(parts.numQubits).keys()];
    const shown = all.filter(qubit => isShown(used.qubits[qubit]!));
    const own = shown.slice(0, MAX_WIRES);
    const rows: Row[] = [];
    this.#qubits = new Int32Array(parts.numQubits).fill(-1);
    for (const qubit of reverseBits ? own.reverse() : own)
      this.#qubits[qubit] = rows.push({ ...names(qubit), isClassical: false }) - 1;
    this.rest = -1;
    if (shown.length > MAX_WIRES) {
      const name = `… ${shown.length - MAX_WIRES} more qubits`;
      this.rest = rows.push({ name, index: "", isClassical: false }) - 1;
      for (const qubit of shown.slice(MAX_WIRES)) this.#qubits[qubit] = this.rest;
    }
    this.firstClassical = rows.length;
    const registers = parts.classical.filter(({ offset, width }) =>
      isShown(used.bits.subarray(offset, offset + width).includes(1)),
    );
    registers.forEach(({ name, offset, width }, i) => {
      const index = width > 1 ? `[${width}]` : "";
      if (i < MAX_WIRES) rows.push({ name: shortenedName(name), index, isClassical: true });
      const row = this.firstClassical + Math.min(i, MAX_WIRES);
      for (let at = 0; at < width; at++) this.#bits.set(offset + at, { row, index: width > 1 ? at : null });
    });
    const hidden = registers.length - MAX_WIRES;
    if (hidden > 0) rows.push({ name: `… ${hidden} more registers`, index: "", isClassical: true });
    this.#variables = used.variables
      ? rows.push({ name: "variables", index: "", isClassical: true }) - 1
      : -1;
    this.rows = rows;
    this.idle = idleLine(
      parts,
      all.filter(qubit => this.#qubits[qubit]! < 0),
      parts.classical.filter(register => !registers.includes(register)).map(({ name }) => name),
    );
  }

  /** Returns the row of a qubit; -1 of one that is not drawn. */
  qubit(qubit: number): number {
    return this.#qubits[qubit]!;
  }

  /** Returns the row of a bit and its place in a register of more than one bit, or undefined for one that belongs to none. */
  bit(bit: number): { readonly row: number; readonly index: number | null } | undefined {
    return this.#bits.get(bit);
  }

  /** Returns the rows of qubits that are drawn, each once. */
  qubits(list: readonly number[]): readonly number[] {
    return remembered(this.#qubitLists, list, () =>
      [...new Set(list.map(qubit => this.qubit(qubit)))].filter(row => row >= 0),
    );
  }

  bits(list: readonly number[]): readonly number[] {
    return remembered(this.#bitLists, list, () => [
      ...new Set(list.flatMap(bit => this.bit(bit)?.row ?? [])),
    ]);
  }

  /** Returns the row of an assignment: that of the bits that it writes, or of all variables. */
  assigned(bits: readonly number[]): number {
    return this.bits(bits)[0] ?? this.#variables;
  }

  /** Returns the rows of what a part of the body assigns, measurements left out. */
  assignments(node: StructuredNode): readonly number[] {
    if (node.kind === "block") return node.body.flatMap(inner => this.assignments(inner));
    return node.kind === "annotation" && node.qubits.length === 0 ? [this.assigned(node.bits)] : [];
  }

  /** Returns the rows that a part of the body touches. */
  reach(node: StructuredNode): ReadonlySet<number> {
    return remembered(this.#reaches, node, () => {
      switch (node.kind) {
        case "operations":
          return this.#touched(node.start, node.end);
        case "block":
          return new Set(node.body.flatMap(inner => [...this.reach(inner)]));
        case "annotation":
          if (node.qubits.length === 0) return new Set([this.assigned(node.bits)]);
      }
      return new Set([...this.qubits(node.qubits), ...this.bits(node.bits)]);
    });
  }

  #touched(start: number, end: number): Set<number> {
    const rows = new Set<number>();
    const { kinds, operands, operandStarts } = this.#parts.operations;
    for (let i = start; i < end; i++)
      for (let at = operandStarts[i]!; at < operandStarts[i + 1]!; at++) {
        const isBit = kinds[i] === OPERATION.measure && at === operandStarts[i]! + 1;
        const row = isBit ? this.bit(operands[at]!)?.row : this.qubit(operands[at]!);
        if (row !== undefined && row >= 0) rows.add(row);
      }
    return rows;
  }
}

const qubitNames =
  ({ quantum }: CircuitParts) =>
  (qubit: number): { name: string; index: string } => {
    const register = quantum.find(({ offset, size }) => qubit >= offset && qubit < offset + size);
    if (!register) return { name: String(qubit), index: "" };
    const { name, offset, size } = register;
    if (name === "$") return { name: `$${qubit}`, index: "" };
    return { name: shortenedName(name), index: size > 1 ? `[${qubit - offset}]` : "" };
  };

/** Returns a line such as `Idle, not drawn: q[3:58], r, c.` */
function idleLine(parts: CircuitParts, qubits: readonly number[], registers: readonly string[]): string {
  const idle = new Set(qubits);
  const names = parts.quantum.flatMap(({ name, offset, size }) => {
    const ranges: [first: number, last: number][] = [];
    for (let i = 0; i < size; i++) {
      if (!idle.has(offset + i)) continue;
      if (ranges.at(-1)?.[1] === i - 1) ranges.at(-1)![1] = i;
      else ranges.push([i, i]);
    }
    if (name === "$") return ranges.map(([a, b]) => (a === b ? `$${a}` : `$${a} to $${b}`));
    if (ranges.length === 1 && ranges[0]![1] - ranges[0]![0] + 1 === size) return shortened(name);
    return ranges.map(([a, b]) => `${shortened(name)}[${a === b ? a : `${a}:${b}`}]`);
  });
  names.push(...registers.map(shortened));
  if (names.length === 0) return "";
  const more = names.length - MAX_IDLE_RANGES;
  const list = names.slice(0, MAX_IDLE_RANGES).join(", ");
  return `Idle, not drawn: ${list}${more > 0 ? ` and ${more.toLocaleString("en-US")} more` : ""}`;
}

/** Which qubits and bits the operations of a circuit touch. */
interface WiresInUse {
  /** Of each qubit 1 where something but a barrier acts on it. */
  readonly qubits: Uint8Array;
  readonly bits: Uint8Array;
  /** Whether a variable without bits is assigned. */
  readonly variables: boolean;
  /** Whether any qubit is touched. */
  readonly any: boolean;
}

/** Finds the wires that a circuit uses. */
function wiresInUse(parts: CircuitParts, body: StructuredBody): WiresInUse {
  const qubits = new Uint8Array(parts.numQubits);
  const bits = new Uint8Array(parts.numBits);
  const registered = new Uint8Array(parts.numBits);
  for (const { offset, width } of parts.classical) registered.fill(1, offset, offset + width);
  let variables = false;
  const seen = new Set<readonly number[]>();
  const mark = (wires: Uint8Array, list: readonly number[]): void => {
    if (seen.has(list)) return;
    seen.add(list);
    for (const wire of list) wires[wire] = 1;
  };
  const { kinds, operands, operandStarts } = parts.operations;
  const walk = (nodes: StructuredBody): void => {
    for (const node of nodes) {
      if (node.kind === "operations") {
        for (let i = node.start; i < node.end; i++) {
          if (kinds[i] === OPERATION.barrier) continue;
          const [first, end] = [operandStarts[i]!, operandStarts[i + 1]!];
          const isMeasure = kinds[i] === OPERATION.measure;
          for (let at = first; at < (isMeasure ? first + 1 : end); at++) qubits[operands[at]!] = 1;
          if (isMeasure && operands[first + 1] !== NO_BIT) bits[operands[first + 1]!] = 1;
        }
        continue;
      }
      mark(bits, node.bits);
      if (node.kind === "block") walk(node.body);
      else mark(qubits, node.qubits);
      if (node.kind === "annotation" && node.qubits.length === 0 && !registered[node.bits[0] ?? -1])
        variables = true;
    }
  };
  walk(body);
  return { qubits, bits, variables, any: qubits.includes(1) };
}
