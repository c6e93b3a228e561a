import type { Compute, Value } from "../../circuit/memory.ts";
import { type Compiled, fault } from "../expressions/compiled.ts";
import type { PlacesRef } from "../expressions/scope.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import type { Type } from "../values/types.ts";
import type { Lowering } from "./lowering.ts";

type Assignment = StatementNode & { kind: "assign" };

/** A place of the classical memory that holds a single value. */
interface Cell {
  readonly type: Type;
  readonly slot: Compute<readonly number[]>;
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
      builder.instruction({ kind: "scatter", slots: ref.run, values });
      return;
    }
    const cell = this.#cell(target);
    if (cell) this.#write(cell, expressions.assigned(this.#operated(node), cell.type).run);
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
    const { run } = expressions.assigned(this.#operated(node), type);
    this.#lowering.variables.store(ref, run as Compute<bigint>, node.at);
  }

  /** Writes some of the bits of a number. */
  #toBitsOf(target: ExpressionNode & { kind: "index" }, node: Assignment): void {
    const { expressions } = this.#lowering;
    const cell = this.#cell(target.base)!;
    const bits = expressions.bits.indices(cell.type, target);
    const value: Compiled = expressions.assigned(this.#operated(node), bits.type);
    const read = expressions.compile(target.base);
    this.#write(cell, memory => {
      const given = value.run(memory) as bigint;
      let word = BigInt.asUintN(cell.type.width ?? 64, read.run(memory) as bigint);
      bits.run(memory).forEach((place, i) => {
        const mask = 1n << BigInt(place);
        word = (given >> BigInt(i)) & 1n ? word | mask : word & ~mask;
      });
      return cell.type.kind === "int" ? BigInt.asIntN(cell.type.width ?? 64, word) : word;
    });
  }

  #write({ slot }: Cell, value: Compute<Value>): void {
    const { builder } = this.#lowering;
    builder.instruction({ kind: "scatter", slots: slot, values: memory => [value(memory)] });
  }

  /** Finds the single value that an expression names, or null where it names none; throws where it may not be written. */
  #cell(node: ExpressionNode): Cell | null {
    const { expressions } = this.#lowering;
    if (node.kind === "index") {
      if (expressions.arrays.rankOf(node) !== 0) return null;
      const ref = expressions.arrays.resolve(node);
      this.#checkWritable(node);
      return { type: ref.element, slot: ref.run };
    }
    const symbol = node.kind === "name" ? expressions.context.scope.find(node.name) : undefined;
    if (typeof symbol !== "object") return null;
    const name = this.#lowering.label(node);
    if (symbol.kind === "constant") throw fault(node, `${name} is a constant and cannot be assigned.`);
    if (symbol.kind === "input")
      throw fault(node, `${name} is an input and cannot be assigned.`, "Copy it to a variable of its own.");
    if (symbol.kind !== "variable") return null;
    const slots = [symbol.slot];
    return { type: symbol.type, slot: () => slots };
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
