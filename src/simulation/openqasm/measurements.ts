import type { Compute } from "../circuit/memory.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import type { ExpressionNode, StatementNode } from "./ast.ts";
import { type Compiled, fault } from "./expressions.ts";
import type { Lowering } from "./lowering.ts";
import type { PlacesRef } from "./scope.ts";
import type { Type } from "./types.ts";

/** Lowers measurements, and assignments of measured and computed values. */
export class MeasurementLowering {
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Lowers a measurement into bits, or into none. */
  measure(operand: ExpressionNode, bits: PlacesRef | null, node: { at: number; end: number }): void {
    const { builder } = this.#lowering;
    const qubits = this.#lowering.places.qubits(operand);
    if (bits && bits.width !== null && qubits.width !== null && bits.width !== qubits.width)
      throw fault(
        node,
        `${qubits.width} qubits are measured into ${bits.width} bits; the numbers must be equal.`,
      );
    if (qubits.known && (!bits || bits.known)) {
      this.#lowering.checkLength(qubits.known.length, node.at);
      qubits.known.forEach((qubit, i) => {
        builder.operation(OPERATION.measure);
        builder.operations.operand(qubit);
        builder.operations.operand(bits ? bits.known![i]! : NO_BIT);
      });
      return;
    }
    builder.instruction({
      kind: "measure",
      at: this.#lowering.expressions.context.locate(node.at),
      qubits: qubits.run,
      bits: bits?.run ?? null,
    });
    builder.dynamic({
      kind: "dynamic",
      name: "measure",
      label: `measure ${this.#lowering.label(operand)}`,
      qubits: this.#lowering.reach(operand),
      bits: bits?.known ?? [],
    });
  }

  /** Lowers a measurement into new bits and gives their value. */
  measured(operand: ExpressionNode): Compiled {
    const qubits = this.#lowering.places.qubits(operand);
    if (qubits.width === null)
      throw fault(operand, "How many qubits these are has to be known before the run.");
    const bits = this.#lowering.bits(qubits.width, operand.at, qubits.isSingle);
    this.measure(operand, bits, operand);
    return {
      type: { kind: "bit", width: qubits.isSingle ? null : qubits.width },
      value: undefined,
      run: memory => bits.known!.reduceRight((value, bit) => (value << 1n) | BigInt(memory.readBit(bit)), 0n),
    };
  }

  /** Lowers an assignment. */
  assign(node: StatementNode & { kind: "assign" }): void {
    const { target, operator, value } = node;
    if (this.#lowering.places.isPlaces(target)) {
      const ref = this.#lowering.places.bits(target);
      if (operator === "=" && value.kind === "measure") {
        this.measure(value.operand, ref, node);
        return;
      }
      const type: Type = { kind: "bit", width: ref.isSingle ? null : ref.width };
      if (!ref.isSingle && ref.width === null)
        throw fault(target, "How many bits these are has to be known before the run.");
      this.#lowering.store(
        ref,
        this.#lowering.expressions.compileTo(this.#operated(node), type).run as Compute<bigint>,
        node.at,
      );
      return;
    }
    const symbol =
      target.kind === "name" ? this.#lowering.expressions.context.scope.find(target.name) : undefined;
    if (target.kind === "index")
      throw fault(target, "Assigning single bits of a number is not supported yet.");
    if (typeof symbol === "object" && symbol.kind === "variable") {
      const compiled = this.#lowering.expressions.compileTo(this.#operated(node), symbol.type);
      this.#lowering.builder.instruction({ kind: "assign", slot: symbol.slot, value: compiled.run });
      return;
    }
    if (typeof symbol === "object" && symbol.kind === "constant")
      throw fault(target, `${this.#lowering.label(target)} is a constant and cannot be assigned.`);
    this.#lowering.expressions.compile(target);
    throw fault(target, `${this.#lowering.label(target)} cannot be assigned.`);
  }

  /** Gives what an assignment such as `+=` assigns. */
  #operated({ target, operator, value }: StatementNode & { kind: "assign" }): ExpressionNode {
    if (operator === "=") return value;
    const { at, end } = value;
    return {
      kind: "binary",
      operator: operator.slice(0, -1),
      left: target,
      right: value,
      at,
      end,
      depth: value.depth + 1,
    };
  }
}
