import { constant, type Expression } from "./expression.ts";
import {
  type CompositeGate,
  compositeGate,
  type Gate,
  type GateStep,
  type MatrixGate,
  type PhaseGate,
  parameters,
} from "./gate.ts";
import { adjoint2, matrix2, power2, principal } from "./matrix.ts";
import { visitPrimitives } from "./primitives.ts";
import { STDGATES } from "./standard.ts";
import { gateOfUnitary } from "./two-level.ts";
import { unitaryOf, unitaryPower } from "./unitary.ts";
import { FLOAT } from "./values/types.ts";

/**
 * One modifier of a gate call, with its argument. A power that is no whole number is the principal one of the whole
 * gate, however it is defined: each eigenphase of its unitary, taken in (-π, π], is multiplied by the exponent.
 */
export type Modifier =
  | { readonly kind: "inv" }
  | { readonly kind: "pow"; readonly exponent: number }
  | { readonly kind: "ctrl" | "negctrl"; readonly count: number };

const named = (name: string) => STDGATES.find(gate => gate.name === name)!;
const cx = named("cx");

/**
 * Returns the gate that a modifier makes of another one.
 * Throws a RangeError with a sentence where the power of a gate is not supported.
 */
export function modify(gate: Gate, modifier: Modifier): Gate {
  let made = memory.get(gate);
  if (!made) {
    made = new Map();
    memory.set(gate, made);
  }
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

/** Returns what a modified gate was made of, or undefined for any other. */
export const modificationOf = (
  gate: Gate,
): { readonly gate: Gate; readonly modifier: Modifier } | undefined => modifications.get(gate);

let steps = 0;

/** Returns how many steps the definitions of modified gates have had so far, over all programs: what a program adds is its own. */
export const builtSteps = (): number => steps;

const MAX_REMEMBERED = 1024;
/** Numbers that are touched, at most, where the matrix of a gate is multiplied out. */
const MAX_WORK = 20_000_000;

/** Qubits of a gate beyond which its fractional power is not computed. */
const MAX_POWER_QUBITS = 5;

/** What was made of each gate, so that a definition which uses a gate many times is gone through once. */
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
      return raise(gate, modifier.exponent);
    default:
      return control(gate, modifier.count, modifier.kind === "ctrl");
  }
}

const inverse = (gate: Gate): Gate => modify(gate, { kind: "inv" });
const power = (gate: Gate, exponent: number): Gate => modify(gate, { kind: "pow", exponent });
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
  const made = compositeGate(name, gate.numParams, numQubits, steps, { symbol: gate.symbol, controls });
  controlledGates.set(made, { inner: gate, control: { kind: polarity ? "ctrl" : "negctrl", count } });
  return made;
}

/** Returns what the inverse or a power of a gate is called. */
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
      return { ...gate, name, symbol, matrix: (params, at) => adjoint2(gate.matrix(params, at)) };
    case "swap":
      return { ...gate, name };
    case "phase":
      return { ...gate, name, scale: -gate.scale };
    case "composite":
      return compositeGate(
        name,
        gate.numParams,
        gate.numQubits,
        gate.steps.map(step => ({ ...step, gate: inverse(step.gate) })).reverse(),
        { symbol, controls: gate.controls },
      );
  }
}

function raise(gate: Gate, exponent: number): Gate {
  if (!Number.isFinite(exponent)) throw new RangeError(`The exponent ${exponent} of a power is not finite.`);
  const { name, symbol } = namesOf(gate, { kind: "pow", exponent });
  switch (gate.kind) {
    case "matrix":
      return { ...gate, name, symbol, matrix: (params, at) => power2(gate.matrix(params, at), exponent) };
    case "phase":
      if (Number.isInteger(exponent)) return { ...gate, name, scale: gate.scale * exponent };
      return compositeGate(name, 1, gate.numQubits, [phasePower(gate, exponent)], {
        symbol,
        controls: gate.controls,
      });
    case "swap": {
      const last = gate.numQubits - 1;
      const middle = [...gate.controls.keys(), last, last - 1];
      const root = power(named("x"), exponent);
      const turn: GateStep = { gate: cx, params: [], qubits: [last - 1, last] };
      const inner = controlsOf(controlled(root, 1, true), gate.controls);
      return compositeGate(
        name,
        0,
        gate.numQubits,
        [turn, { gate: inner, params: [], qubits: middle }, turn],
        {
          symbol,
          controls: gate.controls,
        },
      );
    }
    case "composite":
      return { ...compositePower(gate, exponent), name, symbol, controls: gate.controls };
  }
}

function controlsOf(gate: Gate, controls: readonly boolean[]): Gate {
  return controls.reduceRight((inner, polarity) => controlled(inner, 1, polarity), gate);
}

/** Returns the phase that the principal power of a phase is. */
function phasePower(gate: PhaseGate, exponent: number): GateStep {
  const real = (value: number) => constant(FLOAT, value);
  const times = (left: Expression, right: Expression): Expression => ({
    ...{ kind: "binary", operator: "*", type: FLOAT, left, right },
  });
  const phase = times(real(gate.scale), parameters(1)[0]!);
  const angle = times(real(exponent), { kind: "call", name: "principal", type: FLOAT, args: [phase] });
  return { gate: { ...gate, scale: 1 }, params: [angle], qubits: [...Array(gate.numQubits).keys()] };
}

function compositePower(gate: CompositeGate, exponent: number): Gate {
  const ofSteps = () =>
    compositeGate(
      gate.name,
      gate.numParams,
      gate.numQubits,
      gate.steps.map(step => ({ ...step, gate: power(step.gate, exponent) })),
    );
  if (gate.steps.length === 1) return ofSteps();
  if (Number.isInteger(exponent)) return repeated(exponent < 0 ? inverse(gate) : gate, Math.abs(exponent));
  const isSmall = gate.numQubits <= MAX_POWER_QUBITS && gate.size * 4 ** gate.numQubits <= MAX_WORK;
  if (isSmall && gate.numQubits > 0) {
    const made = gate.numQubits === 1 ? singlePower(gate, exponent) : unitaryGate(gate, exponent);
    return { ...made, size: made.size + Math.ceil((gate.size * 4 ** gate.numQubits) / 10) };
  }
  if (gate.diagonal && isPrincipal(gate)) return ofSteps();
  throw new RangeError(
    `The fractional power ${exponent} of ${gate.name} is out of reach: such a power is taken of gates of at most ${MAX_POWER_QUBITS} qubits, and of few steps.`,
  );
}

function unitaryGate(gate: CompositeGate, exponent: number): CompositeGate {
  return gateOfUnitary(gate, params => unitaryPower(unitaryOf(gate, params), exponent));
}

/** Returns the power of a gate on a single qubit. */
function singlePower(gate: CompositeGate, exponent: number): CompositeGate {
  const { name, symbol, numParams, diagonal } = gate;
  const matrix: MatrixGate["matrix"] = (params, at) => {
    const own = Array.from({ length: numParams }, (_, i) => params[at + i]!);
    const { re, im } = unitaryOf(gate, own);
    return power2(matrix2(re[0]!, im[0]!, re[1]!, im[1]!, re[2]!, im[2]!, re[3]!, im[3]!), exponent);
  };
  const single: MatrixGate = {
    ...{ kind: "matrix", name, symbol, numParams, numQubits: 1, controls: [], diagonal, matrix },
  };
  return compositeGate(name, numParams, 1, [{ gate: single, params: parameters(numParams), qubits: [0] }]);
}

/** Whether the phases of a diagonal gate's steps never add up beyond (-π, π], so that the power is that of each step. */
function isPrincipal(gate: CompositeGate): boolean {
  if (gate.numParams > 0 || gate.size > MAX_WORK) return false;
  let [least, most] = [0, 0];
  visitPrimitives(gate, [], [...Array(gate.numQubits).keys()], ({ gate: step, params }) => {
    const phases = step.controls.length > 0 ? [0] : [];
    if (step.kind === "phase") phases.push(principal(step.scale * params[0]!));
    else if (step.kind === "matrix") {
      const m = step.matrix(params, 0);
      phases.push(principal(Math.atan2(m[1]!, m[0]!)), principal(Math.atan2(m[7]!, m[6]!)));
    }
    least += Math.min(...phases);
    most += Math.max(...phases);
  });
  return least > -Math.PI + 1e-9 && most <= Math.PI + 1e-9;
}

/** Returns the gate applied `count` times, as a tree of doublings so that its definition stays small. */
function repeated(gate: Gate, count: number): Gate {
  const qubits = [...Array(gate.numQubits).keys()];
  const params = parameters(gate.numParams);
  const steps: GateStep[] = [];
  let doubled = gate;
  for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) steps.push({ gate: doubled, params, qubits });
    const half: GateStep = { gate: doubled, params, qubits };
    doubled = compositeGate(gate.name, gate.numParams, gate.numQubits, [half, half]);
  }
  return compositeGate(gate.name, gate.numParams, gate.numQubits, steps);
}
