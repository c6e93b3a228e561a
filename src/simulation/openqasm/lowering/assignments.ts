import { type Expression, knownIndices, type OperandIndices } from "../../circuit/expression.ts";
import type { Type } from "../../circuit/values/types.ts";
import { fault } from "../expressions/compiled.ts";
import type { PlacesRef } from "../expressions/scope.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import type { Lowering } from "./lowering.ts";

type Assignment = StatementNode & { kind: "assign" };

/** A place of the classical memory that holds a single value. */
interface Cell {
  readonly type: Type;
  readonly slots: OperandIndices;
}

/** Lowers assignments of measured and computed values. */
export class AssignmentLowering {
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Lowers an assignment. */
  assign(node: Assignment): void {
    const { expressions, places, builder } = this.#lowering;
    const { target, operator, value } = node;
    if (places.isPlaces(target)) {
      this.#toBits(node, places.bits(target));
      return;
    }
    if (expressions.arrays.rankOf(target) > 0) {
      const ref = expressions.arrays.resolve(target);
      this.#checkWritable(target);
      if (operator !== "=") throw fault(node, `${operator} takes a single value, not an array.`);
      const values = expressions.arrays.values(value, ref.element, ref.sizes);
      builder.add({ kind: "fill", ...this.#labelOf(node), slots: ref.indices, values });
      return;
    }
    const cell = this.#cell(target);
    if (cell) this.#write(node, cell, expressions.assigned(this.#operated(node), cell.type));
    else if (target.kind === "index" && this.#cell(target.base)) this.#toBitsOf(target, node);
    else {
      expressions.compile(target);
      throw fault(target, `${this.#lowering.label(target)} cannot be assigned.`);
    }
  }

  /** Lowers a measurement into a single bit or a slice of a number. */
  measureInto(operand: ExpressionNode, target: ExpressionNode, node: StatementNode): void {
    const { places, measurements } = this.#lowering;
    if (places.isPlaces(target) || target.kind !== "index" || !this.#cell(target.base)) {
      measurements.measure(operand, places.bits(target), node);
      return;
    }
    const { at, end } = operand;
    const value: ExpressionNode = { kind: "measure", operand, at, end, depth: 1 };
    this.#toBitsOf(target, { kind: "assign", target, operator: "=", value, at: node.at, end: node.end });
  }

  #toBits(node: Assignment, ref: PlacesRef): void {
    const { expressions, measurements } = this.#lowering;
    if (node.operator === "=" && node.value.kind === "measure") {
      measurements.measure(node.value.operand, ref, node);
      return;
    }
    if (!ref.isSingle && ref.width === null)
      throw fault(node.target, "How many bits these are has to be known before the run.");
    const type: Type = { kind: "bit", width: ref.isSingle ? null : ref.width };
    this.#lowering.variables.store(
      ref,
      expressions.assigned(this.#operated(node), type),
      this.#labelOf(node).label,
    );
  }

  /** Writes some of the bits of a number. */
  #toBitsOf(target: ExpressionNode & { kind: "index" }, node: Assignment): void {
    const { expressions } = this.#lowering;
    const cell = this.#cell(target.base)!;
    const { type, places } = expressions.bits.indices(cell.type, target);
    const bits = expressions.assigned(this.#operated(node), type);
    const operand = expressions.compile(target.base);
    this.#write(node, cell, { kind: "insert", type: cell.type, operand, places, bits });
  }

  #write(node: Assignment, { slots }: Cell, value: Expression): void {
    const { builder } = this.#lowering;
    const label = this.#labelOf(node);
    const [slot] = knownIndices(slots) ?? [];
    if (slot !== undefined) builder.add({ kind: "assign", ...label, slot, value });
    else builder.add({ kind: "fill", ...label, slots, values: { kind: "values", values: [value] } });
  }

  /** Returns what a drawing writes for an assignment; one of a measurement is drawn by that. */
  #labelOf(node: Assignment): { label?: string } {
    return node.value.kind === "measure" ? {} : { label: this.#lowering.label(node).replace(/;$/, "") };
  }

  /** Finds the single value that an expression names, or null where it names none; throws where it may not be written. */
  #cell(node: ExpressionNode): Cell | null {
    const { expressions } = this.#lowering;
    if (node.kind === "index") {
      if (expressions.arrays.rankOf(node) !== 0) return null;
      const ref = expressions.arrays.resolve(node);
      this.#checkWritable(node);
      return { type: ref.element, slots: ref.indices };
    }
    const symbol = node.kind === "name" ? expressions.context.scope.find(node.name) : undefined;
    if (typeof symbol !== "object") return null;
    const name = this.#lowering.label(node);
    if (symbol.kind === "constant") throw fault(node, `${name} is a constant and cannot be assigned.`);
    if (symbol.kind === "input")
      throw fault(node, `${name} is an input and cannot be assigned.`, "Copy it to a variable of its own.");
    if (symbol.kind !== "variable") return null;
    return { type: symbol.type, slots: [symbol.slot] };
  }

  #checkWritable(node: ExpressionNode): void {
    const { expressions } = this.#lowering;
    if (expressions.arrays.resolve(node).isReadonly)
      throw fault(node, `${this.#lowering.label(node)} belongs to an array that is read only.`);
  }

  /** Gives what an assignment such as `+=` assigns. */
  #operated({ target, operator, value }: Assignment): ExpressionNode {
    if (operator === "=") return value;
    const { at, end, depth } = value;
    return {
      kind: "binary",
      operator: operator.slice(0, -1),
      left: target,
      right: value,
      at,
      end,
      depth: depth + 1,
    };
  }
}
