import { adjoint } from "../linear-algebra/matrix.ts";
import { remembered } from "../memoized.ts";
import { compositeGate, type Gate, withSteps } from "./gate.ts";
import { type Modifier, pow } from "./power.ts";

/**
 * Returns the gate that a modifier makes of another one.
 * Throws a RangeError with a sentence where the power of a gate is not supported.
 */
export function modify(gate: Gate, modifier: Modifier): Gate {
  const made = remembered(memory, gate, () => new Map());
  const { kind } = modifier;
  const key = kind === "inv" ? kind : `${kind} ${kind === "pow" ? modifier.exponent : modifier.count}`;
  let modified = made.get(key);
  if (!modified) {
    modified = build(gate, modifier);
    modifications.set(modified, { gate, modifier });
    if (modified.kind === "composite") steps += modified.steps.length;
    if (made.size < MAX_REMEMBERED) made.set(key, modified);
  }
  return modified;
}

/** Of each gate that was modified, what it was made of. */
const modifications = new WeakMap<Gate, { readonly gate: Gate; readonly modifier: Modifier }>();

export const modificationOf = (
  gate: Gate,
): { readonly gate: Gate; readonly modifier: Modifier } | undefined => modifications.get(gate);

let steps = 0;

/** Returns how many steps the definitions of modified gates have had so far, over all programs: what a program adds is its own. */
export const builtSteps = (): number => steps;

const MAX_REMEMBERED = 1024;

/** Modified gates, so a definition that uses a gate many times is visited once. */
const memory = new WeakMap<Gate, Map<string, Gate>>();

/** The controls of composite gates, and what they control. */
const controlledGates = new WeakMap<Gate, { readonly inner: Gate; readonly control: Modifier }>();

function build(gate: Gate, modifier: Modifier): Gate {
  const outer = controlledGates.get(gate);
  if (outer && (modifier.kind === "inv" || modifier.kind === "pow")) {
    const inner = modify(outer.inner, modifier);
    const made = { ...modify(inner, outer.control), ...namesOf(gate, modifier) };
    if (made.kind === "composite") controlledGates.set(made, { inner, control: outer.control });
    return made;
  }
  switch (modifier.kind) {
    case "inv":
      return invert(gate);
    case "pow":
      return pow(gate, modifier.exponent, { ...namesOf(gate, modifier), modify });
    default:
      return control(gate, modifier.count, modifier.kind === "ctrl");
  }
}

const inverse = (gate: Gate): Gate => modify(gate, { kind: "inv" });
const controlled = (gate: Gate, count: number, polarity: boolean): Gate =>
  modify(gate, { kind: polarity ? "ctrl" : "negctrl", count });

function control(gate: Gate, count: number, polarity: boolean): Gate {
  const controls = [...new Array<boolean>(count).fill(polarity), ...gate.controls];
  const numQubits = gate.numQubits + count;
  const name = `${polarity ? "ctrl" : "negctrl"}${count > 1 ? `(${count})` : ""} @ ${gate.name}`;
  if (gate.kind !== "composite") return { ...gate, name, controls, numQubits };
  const added = Array.from({ length: count }, (_, i) => i);
  const steps = gate.steps.map(step => ({
    gate: controlled(step.gate, count, polarity),
    params: step.params,
    qubits: [...added, ...step.qubits.map(qubit => qubit + count)],
  }));
  const made = compositeGate(name, gate.numParams, numQubits, steps, {
    ...{ symbol: gate.symbol, controls, operandNames: gate.operandNames },
  });
  controlledGates.set(made, { inner: gate, control: { kind: polarity ? "ctrl" : "negctrl", count } });
  return made;
}

/** Returns the name of the inverse or a power of a gate. */
function namesOf(gate: Gate, modifier: Modifier & { kind: "inv" | "pow" }): Pick<Gate, "name" | "symbol"> {
  if (modifier.kind === "inv") return { name: `inv @ ${gate.name}`, symbol: `${gate.symbol}†` };
  const { exponent } = modifier;
  return {
    name: `pow(${exponent}) @ ${gate.name}`,
    symbol: `${gate.symbol}^${Number(exponent.toPrecision(6))}`,
  };
}

function invert(gate: Gate): Gate {
  const { name, symbol } = namesOf(gate, { kind: "inv" });
  switch (gate.kind) {
    case "matrix":
      return { ...gate, name, symbol, matrix: (params, at) => adjoint(gate.matrix(params, at)) };
    case "swap":
      return { ...gate, name };
    case "phase":
      return { ...gate, name, scale: -gate.scale };
    case "composite":
      return {
        ...withSteps(gate, gate.steps.map(step => ({ ...step, gate: inverse(step.gate) })).reverse()),
        ...{ name, symbol, operandNames: gate.operandNames },
      };
  }
}
