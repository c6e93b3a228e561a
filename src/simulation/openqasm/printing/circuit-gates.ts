import type { CompositeGate, Gate } from "../../circuit/gate.ts";
import { modificationOf } from "../../circuit/modifiers.ts";
import type { Modifier } from "../../circuit/power.ts";
import { eulerAngles, type Primitive } from "../../circuit/primitives.ts";
import { GPHASE, NATIVE, QASM2_BUILT_IN, QELIB1, STDGATES, U3 } from "../../circuit/standard.ts";
import { SimulationError } from "../../errors.ts";
import type { ExpressionNode, ModifierNode, StatementNode } from "../syntax/ast.ts";
import { syntaxOf } from "./circuit-expressions.ts";
import type { CircuitNames } from "./circuit-names.ts";
import { printExpression, printFloat } from "./expression-printer.ts";
import {
  floatNode,
  integerNode,
  modifierNode,
  nameExpression,
  nameNode,
  statementNode,
} from "./syntax-nodes.ts";

/** Writes a gate of one step by its name where the library has it, and else by its matrix. */
function primitiveLines({ gate, params, qubits }: Primitive, names: readonly string[]): string[] {
  const on = qubits.map(qubit => names[qubit]!);
  if (STDGATES.includes(gate)) return [`${gate.name}${listOf(params)} ${on.join(", ")};`];
  const controls = modifiersOf(gate.controls);
  const phase = (angle: number) => {
    if (Math.abs(Math.sin(angle / 2)) < 1e-15) return [];
    return [
      `${controls}gphase${listOf([angle])}${on.length > 0 ? ` ${on.slice(0, gate.controls.length).join(", ")}` : ""};`,
    ];
  };
  if (gate.kind === "phase") return phase(gate.scale * params[0]!);
  if (gate.kind === "swap") return [`${controls}swap ${on.join(", ")};`];
  const { theta, phi, lambda, gamma } = eulerAngles(gate.matrix(params, 0));
  return [`${controls}U${listOf([theta, phi, lambda])} ${on.join(", ")};`, ...phase(gamma - theta / 2)];
}

function modifiersOf(controls: readonly boolean[]): string {
  return controls.map(polarity => (polarity ? "ctrl @ " : "negctrl @ ")).join("");
}

/** Returns numbers as the arguments of a call. */
const listOf = (params: readonly number[]): string =>
  params.length > 0 ? `(${params.map(printFloat).join(", ")})` : "";

/** Definitions of hardware gates that OpenQASM's libraries lack. */
const NATIVE_DEFINITIONS: Readonly<Record<string, string>> = {
  prx: "gate prx(theta, phi) q { rz(-phi) q; rx(theta) q; rz(phi) q; }",
  gpi: "gate gpi(phi) q { rz(-phi) q; x q; rz(phi) q; }",
  gpi2: "gate gpi2(phi) q { rz(-phi) q; rx(pi / 2) q; rz(phi) q; }",
  ecr: "gate ecr a, b { s a; sx b; cx a, b; x a; }",
  zz: "gate zz(theta) a, b { cx a, b; rz(theta) b; cx a, b; }",
  ms: "gate ms(phi0, phi1, theta) a, b { rz(-phi0) a; rz(-phi1) b; h a; h b; cx a, b; rz(theta) b; cx a, b; h a; h b; rz(phi0) a; rz(phi1) b; }",
};

/**
 * Definitions of OpenQASM 2 gates with parameters that have another phase or no name in OpenQASM 3; `NAME`
 * stands for the name.
 */
const QELIB1_DEFINITIONS: Readonly<Record<string, string>> = {
  U: "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }",
  u: "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }",
  u3: "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }",
  u2: "gate NAME(phi, lambda) q { U(pi / 2, phi, lambda) q; gphase(-pi / 4); }",
  u0: "gate NAME(gamma) q { id q; }",
  cu1: "gate NAME(lambda) a, b { cp(lambda) a, b; }",
  cu3: "gate NAME(theta, phi, lambda) a, b { ctrl @ U(theta, phi, lambda) a, b; p(-theta / 2) a; }",
};

/** Gates of `include "stdgates.inc"`, and of the language itself. */
const DECLARED: ReadonlySet<Gate> = new Set([
  ...STDGATES,
  ...QELIB1.filter(({ name }) => ["rxx", "rzz", "sxdg"].includes(name)),
  ...[U3, GPHASE],
]);

/** Gates of OpenQASM 2. */
const VERSION_2: readonly Gate[] = [...QASM2_BUILT_IN, ...QELIB1];

const PRINTING = { isVersion2: false, name: (name: string) => name, block: () => "{}" };

/** Writes calls of gates, and defines those that the library lacks. */
export class GateWriter {
  readonly definitions: StatementNode[] = [];
  readonly #names: CircuitNames;
  readonly #defined = new Map<Gate, string>();
  readonly #places: { readonly params: string[]; readonly qubits: string[] } = { params: [], qubits: [] };

  constructor(names: CircuitNames) {
    this.#names = names;
  }

  /**
   * Returns a call of a gate; `values` are those of its parameters where they are known. Throws a SimulationError for a
   * gate that has no name, and whose matrix is not known before the run.
   */
  call(
    gate: Gate,
    params: readonly ExpressionNode[],
    operands: readonly ExpressionNode[],
    { values, modifiers = [] }: { values?: readonly number[]; modifiers?: readonly ModifierNode[] } = {},
  ): StatementNode[] {
    const chain: ModifierNode[] = [...modifiers];
    let base = gate;
    for (let made = modificationOf(gate); made && !DECLARED.has(base); made = modificationOf(base)) {
      chain.push(nodeOf(made.modifier));
      base = made.gate;
    }
    const name = this.#nameOf(base);
    if (name !== null) {
      const callee = nameNode(name);
      return [
        statementNode({
          kind: "call",
          name: callee,
          modifiers: chain,
          args: params,
          duration: null,
          operands,
        }),
      ];
    }
    if (!values || modifiers.length > 0 || gate.kind === "composite")
      throw new SimulationError(`The gate ${gate.name} has no name in OpenQASM 3.`);
    const qubits = operands.map(operand => printExpression(operand, PRINTING));
    const lines = primitiveLines({ gate, params: values, qubits: [...qubits.keys()] }, qubits);
    return lines.map(text => statementNode({ kind: "verbatim", text }));
  }

  /** Returns the name of a gate, which is defined first where the library lacks it; null for a matrix without a name. */
  #nameOf(gate: Gate): string | null {
    if (DECLARED.has(gate)) return gate.name;
    const known = this.#defined.get(gate);
    if (known) return known;
    if (NATIVE.includes(gate)) return this.#defineAs(gate, gate.name, NATIVE_DEFINITIONS[gate.name]!);
    const text = gate.kind === "matrix" && VERSION_2.includes(gate) && QELIB1_DEFINITIONS[gate.name];
    if (text) {
      const name = this.#names.free.take(gate.name);
      return this.#defineAs(gate, name, text.replace("NAME", name));
    }
    return gate.kind === "composite" ? this.#define(gate) : null;
  }

  #defineAs(gate: Gate, name: string, text: string): string {
    this.definitions.push(statementNode({ kind: "verbatim", text }));
    this.#defined.set(gate, name);
    return name;
  }

  #define(gate: CompositeGate): string {
    const params = this.#placesOf("params", gate.numParams);
    const qubits = this.#placesOf("qubits", gate.numQubits);
    const parameter = (slot: number) => nameExpression(params[slot]!);
    const body = gate.steps.flatMap(step => {
      const values = step.params.flatMap(({ value }) => (value === undefined ? [] : Number(value)));
      return this.call(
        step.gate,
        step.params.map(param =>
          param.value === undefined
            ? syntaxOf(param, this.#names, parameter)
            : floatNode(Number(param.value)),
        ),
        step.qubits.map(place => nameExpression(qubits[place]!)),
        values.length === step.params.length ? { values } : {},
      );
    });
    const name = this.#names.free.take(gate.name);
    this.#defined.set(gate, name);
    this.definitions.push(
      statementNode({
        kind: "gate",
        name: nameNode(name),
        params: params.map(nameNode),
        qubits: qubits.map(nameNode),
        body,
      }),
    );
    return name;
  }

  /** Returns names for the parameters or qubits of definitions, which share them. */
  #placesOf(kind: "params" | "qubits", count: number): readonly string[] {
    const places = this.#places[kind];
    while (places.length < count)
      places.push(this.#names.free.take(`${kind === "params" ? "p" : "q"}${places.length}`));
    return places.slice(0, count);
  }
}

function nodeOf(modifier: Modifier): ModifierNode {
  if (modifier.kind === "inv") return modifierNode("inv", null);
  if (modifier.kind !== "pow") return modifierNode(modifier.kind, controlCount(modifier.count));
  const { exponent } = modifier;
  return modifierNode("pow", Number.isSafeInteger(exponent) ? integerNode(exponent) : floatNode(exponent));
}

/** Returns the argument of a modifier that adds controls, which one control does without. */
export const controlCount = (count: number): ExpressionNode | null =>
  count === 1 ? null : integerNode(count);
