import type { CompositeGate, ElementaryGate, Gate } from "../../circuit/gate.ts";
import { modificationOf } from "../../circuit/modifiers.ts";
import type { Modifier } from "../../circuit/power.ts";
import { eulerAngles } from "../../circuit/primitives.ts";
import { factsOf, QASM3_GATES } from "../../circuit/standard.ts";
import { SimulationError } from "../../errors.ts";
import type { ExpressionNode, ModifierNode, StatementNode } from "../syntax/ast.ts";
import { syntaxOf } from "./circuit-expressions.ts";
import type { CircuitNames } from "./circuit-names.ts";
import {
  floatNode,
  integerNode,
  modifierNode,
  nameExpression,
  nameNode,
  statementNode,
} from "./syntax-nodes.ts";

/** Returns calls of `U`, `gphase` and `swap` for a gate of one step that has no name. */
function primitiveNodes(
  gate: ElementaryGate,
  params: readonly number[],
  operands: readonly ExpressionNode[],
): StatementNode[] {
  const controls = gate.controls.map(polarity => modifierNode(polarity ? "ctrl" : "negctrl", null));
  // -0 is written as 0.0.
  const argument = (angle: number) => floatNode(angle === 0 ? 0 : angle);
  const call = (name: string, angles: readonly number[], on = operands) =>
    callNode(name, controls, angles.map(argument), on);
  const phase = (angle: number) =>
    Math.abs(Math.sin(angle / 2)) < 1e-15
      ? []
      : [call("gphase", [angle], operands.slice(0, controls.length))];
  if (gate.kind === "phase") return phase(gate.scale * params[0]!);
  if (gate.kind === "swap") return [call("swap", [])];
  const { theta, phi, lambda, gamma } = eulerAngles(gate.matrix(params, 0));
  return [call("U", [theta, phi, lambda]), ...phase(gamma - theta / 2)];
}

const callNode = (
  name: string,
  modifiers: readonly ModifierNode[],
  args: readonly ExpressionNode[],
  operands: readonly ExpressionNode[],
): StatementNode =>
  statementNode({ kind: "call", name: nameNode(name), modifiers, args, duration: null, operands });

export const DECLARED: ReadonlySet<Gate> = new Set(QASM3_GATES);

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
    if (name !== null) return [callNode(name, chain, params, operands)];
    if (!values || modifiers.length > 0 || gate.kind === "composite")
      throw new SimulationError(`The gate ${gate.name} has no name in OpenQASM 3.`);
    return primitiveNodes(gate, values, operands);
  }

  /** Returns the name of a gate, which is defined first where the library lacks it; null for a matrix without a name. */
  #nameOf(gate: Gate): string | null {
    if (DECLARED.has(gate)) return gate.name;
    const known = this.#defined.get(gate);
    if (known) return known;
    const { definition } = factsOf(gate);
    if (!definition) return gate.kind === "composite" ? this.#define(gate) : null;
    const name = definition.includes("NAME") ? this.#names.free.take(gate.name) : gate.name;
    this.definitions.push(statementNode({ kind: "verbatim", text: definition.replace("NAME", name) }));
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
