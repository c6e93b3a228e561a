import { constant } from "../../circuit/expression.ts";
import type { Value } from "../../circuit/memory.ts";
import { zeroOf } from "../../circuit/values/types.ts";
import { fault } from "../expressions/compiled.ts";
import { knownPlaces } from "../expressions/places.ts";
import type { PlacesRef } from "../expressions/scope.ts";
import type { ExpressionNode, StatementNode, TypeNode } from "../syntax/ast.ts";
import { defineGate } from "./gate-definition.ts";
import type { Lowering } from "./lowering.ts";

type Declaration = Extract<
  StatementNode,
  { kind: "include" | "quantum" | "classical" | "alias" | "gate" | "extern" }
>;
type Classical = StatementNode & { kind: "classical" };

/** Lowers what declares names: includes, registers, variables, constants, aliases and gates. */
export class DeclarationLowering {
  readonly #lowering: Lowering;
  /** How many qubits are named by their numbers so far. */
  #numHardware = 0;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Lowers a declaration. */
  lower(node: Declaration): void {
    switch (node.kind) {
      case "include":
        this.#include(node);
        break;
      case "quantum":
        this.#quantum(node);
        break;
      case "classical":
        this.#classical(node);
        break;
      case "gate":
        this.#gate(node);
        break;
      case "extern":
        this.#extern(node);
        break;
      case "alias":
        this.#lowering.declare(
          node.name,
          this.#lowering.expressions.arrays.rankOf(node.value) > 0
            ? { kind: "array", ref: this.#lowering.expressions.arrays.resolve(node.value) }
            : { kind: "places", ref: this.#lowering.places.resolve(node.value) },
        );
    }
  }

  /** Gives a qubit that is named by its number. */
  hardwareQubit(index: number, node: ExpressionNode): PlacesRef {
    const { program } = this.#lowering;
    if (index >= this.#lowering.limits.maxQubits)
      throw fault(node, `The qubit $${index} is outside of every device.`);
    if (this.#numHardware === 0 && program.numQubits > 0)
      throw fault(node, "A program names either hardware qubits or registers of its own, not both.");
    if (index >= this.#numHardware) {
      program.numQubits += index + 1 - this.#numHardware;
      this.#numHardware = index + 1;
      program.quantum[0] = { name: "$", offset: 0, size: index + 1 };
    }
    return knownPlaces("qubit", [index], true);
  }

  #include(node: StatementNode & { kind: "include" }): void {
    if (this.#lowering.expressions.context.scope !== this.#lowering.global)
      throw fault(node, "An include stands outside of all blocks.");
    const gates = this.#lowering.library.gatesOf(node.file);
    if (!gates) {
      const files = this.#lowering.library.files.map(file => `"${file}"`).join(", ");
      throw fault(node, `There is no file "${node.file.slice(0, 80)}".`, `What can be included is ${files}.`);
    }
    for (const gate of gates) this.#lowering.global.declare(gate.name, { kind: "gate", gate, isConst: true });
  }

  #quantum(node: StatementNode & { kind: "quantum" }): void {
    const { builder } = this.#lowering;
    if (this.#lowering.expressions.context.scope !== this.#lowering.global)
      throw fault(node.name, "Qubits are declared outside of all blocks.");
    const size = node.size
      ? this.#lowering.expressions.constantInteger(node.size, "The size of a register")
      : 1;
    if (size < 1) throw fault(node.size!, `A register of ${size} qubits is not possible.`);
    if (builder.numQubits + size > this.#lowering.limits.maxQubits)
      throw fault(
        node,
        `The program declares more than ${this.#lowering.limits.maxQubits.toLocaleString("en-US")} qubits.`,
      );
    const offset = builder.numQubits;
    const ref = knownPlaces(
      "qubit",
      Array.from({ length: size }, (_, i) => offset + i),
      !node.size,
    );
    this.#lowering.declare(node.name, { kind: "places", ref });
    builder.numQubits += size;
    builder.quantum.push({ name: node.name.name, offset, size });
  }

  #classical(node: Classical): void {
    const { name, value, modifier } = node;
    const { expressions, global, builder } = this.#lowering;
    const isGlobal = expressions.context.scope === global;
    if ((modifier === "input" || modifier === "output") && !isGlobal)
      throw fault(name, `An ${modifier} is declared outside of all blocks.`);
    if (node.type.array) {
      this.#array({ ...node, type: { ...node.type, array: node.type.array } }, isGlobal);
      return;
    }
    const type = expressions.type(node.type);
    if (modifier === "const") {
      const compiled = expressions.compileTo(value!, type);
      if (compiled.value === undefined)
        throw fault(value!, `The value of the constant ${name.name} is not known before the run.`);
      this.#lowering.declare(name, { kind: "constant", type, value: compiled.value, isConst: true });
      return;
    }
    if (modifier === "input" && this.#lowering.inputs.isOpen(name)) {
      this.#lowering.variables.declare(name, type, { kind: "input", type, name: name.name, at: name.at });
      return;
    }
    if (modifier === "input") {
      const given = this.#lowering.inputs.value(name, type);
      if (type.kind === "bit") this.#lowering.variables.declare(name, type, constant(type, given));
      else this.#lowering.declare(name, { kind: "input", type, value: given });
      return;
    }
    const first = builder.numBits;
    const isMeasured = type.kind === "bit" && value?.kind === "measure";
    const compiled = value && !isMeasured ? expressions.assigned(value, type) : undefined;
    const offset = isMeasured ? first : builder.numBits;
    const symbol = this.#lowering.variables.declare(name, type, compiled);
    if (isGlobal && type.kind === "bit")
      builder.classical.push({ name: name.name, offset, width: type.width ?? 1 });
    if (isGlobal) this.#lowering.results.push({ name: name.name, isOutput: modifier === "output", symbol });
    if (isMeasured && symbol.kind === "places")
      this.#lowering.measurements.measure(value.operand, symbol.ref, node);
  }

  #array(node: Classical & { type: { array: NonNullable<TypeNode["array"]> } }, isGlobal: boolean): void {
    const { name, value, modifier } = node;
    const { expressions, builder } = this.#lowering;
    if (!isGlobal) throw fault(name, "Arrays are declared outside of all blocks.");
    const { element, sizes } = expressions.arrays.shape(node.type);
    const count = sizes.reduce((product, size) => product * size, 1);
    const first = this.#lowering.variables.slot(count, name.at);
    const known = Array.from({ length: count }, (_, i) => first + i);
    const isReadonly = modifier === "const" || modifier === "input";
    const ref = { element, sizes, known, indices: known, isReadonly };
    const isGiven = modifier === "input" && !this.#lowering.inputs.isOpen(name);
    const given = isGiven ? this.#lowering.inputs.values(name, element, sizes) : null;
    const values = value ? expressions.arrays.values(value, element, sizes) : null;
    const zeros = new Array<Value>(count).fill(zeroOf(element));
    builder.add({
      kind: "fill",
      slots: known,
      values: values ?? { kind: "constants", values: given ?? zeros },
    });
    const symbol = { kind: "array", ref } as const;
    this.#lowering.declare(name, symbol);
    if (!isReadonly)
      this.#lowering.results.push({ name: name.name, isOutput: modifier === "output", symbol });
  }

  #extern(node: StatementNode & { kind: "extern" }): void {
    const { expressions } = this.#lowering;
    const type = (of: TypeNode) => {
      if (!of.array) return expressions.type(of);
      expressions.arrays.shape({ ...of, array: of.array });
      return null;
    };
    const params = node.params.map(type);
    const result = node.result && type(node.result);
    this.#lowering.declare(node.name, { kind: "extern", params, result, isConst: true });
  }

  #gate(node: StatementNode & { kind: "gate" }): void {
    const { name } = node;
    if (this.#lowering.expressions.context.scope !== this.#lowering.global)
      throw fault(name, "Gates are defined outside of all blocks.");
    if (!node.body) {
      this.#lowering.declare(name, { kind: "opaque", isConst: true });
      return;
    }
    const gate = defineGate(node, this.#lowering);
    this.#lowering.declare(name, { kind: "gate", gate, isConst: true });
  }
}
