import type { ExpressionNode, NameNode, StatementNode } from "./ast.ts";
import { fault } from "./expressions.ts";
import { defineGate } from "./gate-definition.ts";
import type { Lowering } from "./lowering.ts";
import { knownPlaces } from "./places.ts";
import type { PlacesRef, ScopeEntry } from "./scope.ts";
import type { Type } from "./types.ts";

type Declaration = Extract<StatementNode, { kind: "include" | "quantum" | "classical" | "alias" | "gate" }>;

/** Lowers what declares names: includes, registers, variables, constants, aliases and gates. */
export class DeclarationLowering {
  readonly #lowering: Lowering;
  #hardware: PlacesRef | null = null;

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
      case "alias":
        this.#lowering.declare(node.name, { kind: "places", ref: this.#lowering.places.resolve(node.value) });
    }
  }

  /** Gives a qubit that is named by its number. */
  hardwareQubit(index: number, node: ExpressionNode): PlacesRef {
    const { builder } = this.#lowering;
    if (index >= this.#lowering.limits.maxQubits)
      throw fault(node, `The qubit $${index} is outside of every device.`);
    const known = this.#hardware?.known ?? [];
    if (known.length === 0 && builder.numQubits > 0)
      throw fault(node, "A program names either hardware qubits or registers of its own, not both.");
    if (index >= known.length) {
      const added = index + 1 - known.length;
      this.#hardware = knownPlaces("qubit", [...Array(index + 1).keys()]);
      builder.numQubits += added;
      builder.quantum[0] = { name: "$", offset: 0, size: index + 1 };
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

  #classical(node: StatementNode & { kind: "classical" }): void {
    const { name, value, isConst } = node;
    const type = this.#lowering.expressions.type(node.type);
    if (isConst) {
      const compiled = this.#lowering.expressions.compileTo(value!, type);
      if (compiled.value === undefined)
        throw fault(value!, `The value of the constant ${name.name} is not known before the run.`);
      this.#lowering.declare(name, { kind: "constant", type, value: compiled.value, isConst: true });
      return;
    }
    const isGlobal = this.#lowering.expressions.context.scope === this.#lowering.global;
    const first = this.#lowering.builder.numBits;
    if (type.kind === "bit" && value?.kind === "measure") {
      this.#lowering.variable(name, type, null);
      const symbol = this.#lowering.expressions.context.scope.find(name.name) as ScopeEntry & {
        kind: "places";
      };
      this.#register(name, first, type, isGlobal);
      this.#lowering.measurements.measure(value.operand, symbol.ref, node);
      return;
    }
    const compiled = value && this.#lowering.expressions.compileTo(value, type);
    const offset = this.#lowering.builder.numBits;
    this.#lowering.variable(name, type, compiled);
    this.#register(name, offset, type, isGlobal);
  }

  #register(name: NameNode, offset: number, type: Type, isGlobal: boolean): void {
    if (isGlobal && type.kind === "bit")
      this.#lowering.builder.classical.push({ name: name.name, offset, width: type.width ?? 1 });
  }

  #gate(node: StatementNode & { kind: "gate" }): void {
    const { name } = node;
    if (this.#lowering.expressions.context.scope !== this.#lowering.global)
      throw fault(name, "Gates are defined outside of all blocks.");
    if (!node.body)
      throw fault(
        name,
        `The gate ${name.name} is opaque: what it does is not known, so that it cannot be simulated.`,
      );
    const gate = defineGate(
      node,
      this.#lowering.expressions,
      this.#lowering.places,
      this.#lowering.calls,
      this.#lowering.diagnostics,
      this.#lowering.limits.maxDepth,
    );
    this.#lowering.declare(name, { kind: "gate", gate, isConst: true });
  }
}
