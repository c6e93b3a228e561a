import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import { type Gate, sizeOf } from "../circuit/gate.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { visitPrimitives } from "../circuit/primitives.ts";
import { NATIVE } from "../circuit/standard.ts";
import type { Statement } from "../circuit/statement.ts";
import { BOX_BEGIN, BOX_END, DELAY } from "../circuit/timing-markers.ts";
import { BIT, BOOL, DURATION, INT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { nestingOf, type SingleStep, type TraceBlock, type TracePart, visitSteps } from "./blocks.ts";

/** Maximum number of operations of a residual program. */
const MAX_OPERATIONS = 1_000_000;

/**
 * Returns the residual program of a trace (Jones, Gomard and Sestoft, Partial Evaluation, chapter 4): a circuit of
 * gates with one step or of hardware, in which only choices by measured bits are left. They are conditions, or where
 * they lead back a loop that goes from block to block. Timing markers become delays, and in a program without choices
 * boxes. Throws a {@link SimulationError} where it comes to too many operations.
 */
export function residualCircuit(parts: CircuitParts, blocks: readonly TraceBlock[]): Circuit {
  return new ResidualWriter(parts, blocks).circuit();
}

class ResidualWriter {
  readonly #parts: CircuitParts;
  readonly #blocks: readonly TraceBlock[];
  readonly #builder: CircuitBuilder;
  /** The number of each bit that is kept: those of registers, and others that choices read. */
  readonly #bits = new Map<number, number>();
  /** Durations of the boxes around the current step, and the statements before each. */
  readonly #boxes: { readonly duration: number; readonly before: readonly Statement[] }[] = [];

  constructor(parts: CircuitParts, blocks: readonly TraceBlock[]) {
    this.#parts = parts;
    this.#blocks = blocks;
    this.#builder = CircuitBuilder.like({ ...parts, outputs: [], numSlots: 0 });
    for (const { offset, width } of parts.classical)
      for (let bit = offset; bit < offset + width; bit++) this.#bits.set(bit, bit);
    let free = Math.max(0, ...parts.classical.map(({ offset, width }) => offset + width));
    for (const { next } of blocks)
      if (next.kind === "fork" && !this.#bits.has(next.bit)) this.#bits.set(next.bit, free++);
    this.#builder.numBits = free;
  }

  circuit(): Circuit {
    const nested = nestingOf(this.#blocks);
    if (nested) this.#nested(nested);
    else this.#dispatch();
    while (this.#boxes.length > 0) this.#endBox();
    return this.#builder.finish();
  }

  #nested(parts: readonly TracePart[]): void {
    for (const part of parts) {
      if (part.kind === "steps") {
        this.#steps(part);
        continue;
      }
      const [one, zero] = [part.one, part.zero].map(inner =>
        this.#builder.collect(() => this.#nested(inner)),
      ) as [Statement[], Statement[]];
      if (one.length > 0) this.#choose(this.#read(part.bit), one, zero);
      else if (zero.length > 0) this.#choose(not(this.#read(part.bit)), zero, []);
    }
  }

  /** Writes a loop in which a variable holds the number of the block that runs next, or -1 at the end. */
  #dispatch(): void {
    this.#builder.numSlots = 2;
    const goTo = (to: number): Statement => ({ kind: "assign", slot: 0, value: integer(to) });
    const current: Expression = { kind: "slot", type: INT, slot: 0 };
    const cases = this.#blocks.map((block, i) => {
      const body = this.#builder.collect(() => {
        this.#steps(block);
        const { next } = block;
        if (next.kind === "fork") this.#choose(this.#read(next.bit), [goTo(next.one)], [goTo(next.zero)]);
        else this.#builder.add(goTo(next.kind === "jump" ? next.to : -1));
      });
      return { values: [BigInt(i)], label: `case ${i}`, body };
    });
    const condition: Expression = {
      ...{ kind: "binary", operator: ">=", type: BOOL, left: current, right: integer(0) },
    };
    const choice: Statement = { kind: "switch", slot: 1, value: current, cases };
    this.#builder.add(goTo(0));
    this.#builder.add({ kind: "while", label: "while", before: [], condition, body: [choice] });
  }

  #choose(condition: Expression, body: Statement[], otherwise: Statement[]): void {
    const rest = otherwise.length > 0 ? otherwise : null;
    this.#builder.add({ kind: "if", label: "if", condition, body, otherwise: rest });
  }

  #read(bit: number): Expression {
    return { kind: "bits", type: BIT, bits: [this.#bits.get(bit)!] };
  }

  #steps({ steps }: Pick<TraceBlock, "steps"> | (TracePart & { kind: "steps" })): void {
    for (const step of steps) visitSteps(step, this.#parts, single => this.#step(single));
  }

  #step(step: SingleStep): void {
    switch (step.kind) {
      case "gate":
        this.#gate(step.gate, step.params, step.qubits);
        return;
      case "measure": {
        const bit = step.bit === null ? undefined : this.#bits.get(step.bit);
        this.#operation(OPERATION.measure, [step.qubit, bit ?? NO_BIT]);
        return;
      }
      case "reset":
        this.#operation(OPERATION.reset, [step.qubit]);
        return;
      case "barrier":
        this.#operation(OPERATION.barrier, step.qubits);
        return;
      case "set": {
        const bit = this.#bits.get(step.bit);
        if (bit !== undefined) this.#builder.add({ kind: "store", bits: [bit], value: integer(step.value) });
      }
    }
  }

  #gate(gate: Gate, params: readonly number[], qubits: readonly number[]): void {
    if (gate === DELAY) {
      const duration = constant(DURATION, params[0]!);
      this.#builder.add({ kind: "delay", label: "delay", duration, at: 0, qubits: [qubits] });
    } else if (gate === BOX_BEGIN) this.#boxes.push({ duration: params[0]!, before: this.#builder.take() });
    else if (gate === BOX_END) this.#endBox();
    else if (NATIVE.includes(gate)) this.#call(gate, params, qubits);
    else {
      this.#checkRoom(sizeOf(gate));
      visitPrimitives(gate, params, qubits, one => this.#call(one.gate, one.params, one.qubits));
    }
  }

  #endBox(): void {
    const { duration, before } = this.#boxes.pop()!;
    const body = this.#builder.take();
    for (const statement of before) this.#builder.add(statement);
    const length = duration > 0 ? constant(DURATION, duration) : null;
    this.#builder.add({ kind: "box", label: "box", duration: length, body });
  }

  #call(gate: Gate, params: readonly number[], qubits: readonly number[]): void {
    this.#operation(OPERATION.gate, qubits, this.#builder.gateIndex(gate));
    for (const param of params) this.#builder.operations.param(param);
  }

  #operation(kind: number, operands: readonly number[], gate = 0): void {
    this.#checkRoom(1);
    this.#builder.operation(kind, gate);
    for (const operand of operands) this.#builder.operations.operand(operand);
  }

  #checkRoom(operations: number): void {
    if (this.#builder.length + operations > MAX_OPERATIONS)
      throw new SimulationError(
        `The program comes to more than ${MAX_OPERATIONS.toLocaleString("en-US")} operations, too many to write out.`,
      );
  }
}

const integer = (value: number): Expression => constant(INT, BigInt(value));

const not = (operand: Expression): Expression => ({ kind: "unary", operator: "!", type: BOOL, operand });
