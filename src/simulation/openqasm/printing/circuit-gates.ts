import type { CompositeGate, ElementaryGate, Gate } from "../../circuit/gate.ts";
import { modificationOf } from "../../circuit/modifiers.ts";
import { eulerAngles } from "../../circuit/primitives.ts";
import { factsOf, QASM3_GATES } from "../../circuit/standard.ts";
import { SimulationError } from "../../errors.ts";
import { expressionText } from "./circuit-expressions.ts";
import type { CircuitNames } from "./circuit-names.ts";
import { block, float, integer } from "./expression-text.ts";

/** Writes calls of `U`, `gphase` and `swap` for a gate of one step that has no name. */
function primitiveCalls(
  gate: ElementaryGate,
  params: readonly number[],
  operands: readonly string[],
): string[] {
  const controls = gate.controls.map(polarity => (polarity ? "ctrl @ " : "negctrl @ ")).join("");
  // -0 is written as 0.0.
  const argument = (angle: number) => float(angle === 0 ? 0 : angle).text;
  const call = (name: string, angles: readonly number[], on = operands) =>
    callText(controls + name, angles.map(argument), on);
  const phase = (angle: number) =>
    Math.abs(Math.sin(angle / 2)) < 1e-15
      ? []
      : [call("gphase", [angle], operands.slice(0, gate.controls.length))];
  if (gate.kind === "phase") return phase(gate.scale * params[0]!);
  if (gate.kind === "swap") return [call("swap", [])];
  const { theta, phi, lambda, gamma } = eulerAngles(gate.matrix(params, 0));
  return [call("U", [theta, phi, lambda]), ...phase(gamma - theta / 2)];
}

const listed = (args: readonly string[]): string => (args.length > 0 ? `(${args.join(", ")})` : "");

const callText = (name: string, args: readonly string[], operands: readonly string[]): string =>
  `${name}${listed(args)}${operands.length > 0 ? ` ${operands.join(", ")}` : ""};`;

export const DECLARED: ReadonlySet<Gate> = new Set(QASM3_GATES);

/** Names of the first qubits of a gate that is defined, none of which is a gate. */
const operandLetters = "abcdefg";

/** Writes calls of gates, and defines those that the library lacks. */
export class GateWriter {
  readonly definitions: string[] = [];
  readonly #names: CircuitNames;
  readonly #defined = new Map<Gate, string>();
  readonly #places = { p: [] as string[], q: [] as string[] };

  constructor(names: CircuitNames) {
    this.#names = names;
  }

  /**
   * Writes a call of a gate; `values` are those of its parameters where they are known. Throws a SimulationError for a
   * gate that has no name, and whose matrix is not known before the run.
   */
  call(
    gate: Gate,
    params: readonly string[],
    operands: readonly string[],
    { values, modifiers = "" }: { values?: readonly number[]; modifiers?: string } = {},
  ): string[] {
    let chain = modifiers;
    let base = gate;
    for (let made = modificationOf(gate); made && !DECLARED.has(base); made = modificationOf(base)) {
      const { modifier } = made;
      if (modifier.kind !== "pow") chain += modifierText(modifier);
      else {
        const { exponent } = modifier;
        chain += `pow(${(Number.isSafeInteger(exponent) ? integer : float)(exponent).text}) @ `;
      }
      base = made.gate;
    }
    const name = this.#nameOf(base);
    if (name !== null) return [callText(chain + name, params, operands)];
    if (!values || modifiers !== "" || gate.kind === "composite")
      throw new SimulationError(`The gate ${gate.name} has no name in OpenQASM 3.`);
    return primitiveCalls(gate, values, operands);
  }

  /** Returns the name of a gate, which is defined first where the library lacks it; null for a matrix without a name. */
  #nameOf(gate: Gate): string | null {
    if (DECLARED.has(gate)) return gate.name;
    const known = this.#defined.get(gate);
    if (known) return known;
    const { definition } = factsOf(gate);
    if (!definition) return gate.kind === "composite" ? this.#define(gate) : null;
    const name = definition.includes("NAME") ? this.#names.free.take(gate.name) : gate.name;
    this.definitions.push(definition.replace("NAME", name));
    this.#defined.set(gate, name);
    return name;
  }

  #define(gate: CompositeGate): string {
    const params = this.#placesOf("p", gate.numParams);
    const qubits = this.#placesOf("q", gate.numQubits);
    const body = gate.steps.flatMap(step => {
      const values = step.params.flatMap(({ value }) => (value === undefined ? [] : Number(value)));
      return this.call(
        step.gate,
        step.params.map(param =>
          param.value === undefined
            ? expressionText(param, this.#names, slot => params[slot]!).text
            : float(Number(param.value)).text,
        ),
        step.qubits.map(place => qubits[place]!),
        values.length === step.params.length ? { values } : {},
      );
    });
    const name = this.#names.free.take(gate.name);
    this.#defined.set(gate, name);
    this.definitions.push(`gate ${name}${listed(params)} ${qubits.join(", ")} ${block(body)}`);
    return name;
  }

  /** Returns names for the parameters or qubits of definitions, which share them. */
  #placesOf(letter: "p" | "q", count: number): readonly string[] {
    const places = this.#places[letter];
    const nameAt = (index: number) => (letter === "q" && operandLetters[index]) || `${letter}${index}`;
    while (places.length < count) places.push(this.#names.free.take(nameAt(places.length)));
    return places.slice(0, count);
  }
}

/** Writes a modifier; one that adds a single control has no argument. */
export const modifierText = (
  modifier: { readonly kind: "inv" } | { readonly kind: "ctrl" | "negctrl"; readonly count: number },
): string =>
  modifier.kind === "inv" || modifier.count === 1
    ? `${modifier.kind} @ `
    : `${modifier.kind}(${modifier.count}) @ `;
