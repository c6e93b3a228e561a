import { adjoint, unitaryPower } from "../linear-algebra/matrix.ts";
import { power2, principal } from "../linear-algebra/one-qubit.ts";
import { remembered } from "../memoized.ts";
import { constant, type Expression } from "./expression.ts";
import {
  type CompositeGate,
  compositeGate,
  type Gate,
  type GateStep,
  type MatrixGate,
  matrixGate,
  type PhaseGate,
  parameters,
  withSteps,
} from "./gate.ts";
import { visitPrimitives } from "./primitives.ts";
import { standardGate } from "./standard.ts";
import { gateOfUnitary } from "./two-level.ts";
import { unitaryOf } from "./unitary.ts";
import { FLOAT } from "./values/types.ts";

/**
 * One modifier of a gate call, with its argument. A fractional power is the principal one of the whole
 * gate, however it is defined: each eigenphase of its unitary, taken in (-π, π], is multiplied by the exponent.
 */
export type Modifier =
  | { readonly kind: "inv" }
  | { readonly kind: "pow"; readonly exponent: number }
  | { readonly kind: "ctrl" | "negctrl"; readonly count: number };

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
      return pow(gate, modifier.exponent, namesOf(gate, modifier));
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

/** Upper bound of the numbers that are touched where the matrix of a gate is multiplied out. */
const MAX_WORK = 20_000_000;

/** Qubits of a gate beyond which its fractional power is not computed. */
const MAX_POWER_QUBITS = 5;

const cx = standardGate("cx");

/** Returns the power of a gate. Throws a RangeError where it is not supported. */
function pow(gate: Gate, exponent: number, { name, symbol }: Pick<Gate, "name" | "symbol">): Gate {
  if (!Number.isFinite(exponent)) throw new RangeError(`The exponent ${exponent} of a power is not finite.`);
  switch (gate.kind) {
    case "matrix":
      return { ...gate, name, symbol, matrix: (params, at) => power2(gate.matrix(params, at), exponent) };
    case "phase":
      if (Number.isInteger(exponent)) return { ...gate, name, scale: gate.scale * exponent };
      return withSteps(gate, [phasePower(gate, exponent)], { name, symbol });
    case "swap": {
      const last = gate.numQubits - 1;
      const middle = [...gate.controls.keys(), last, last - 1];
      const root = modify(standardGate("x"), { kind: "pow", exponent });
      const turn: GateStep = { gate: cx, params: [], qubits: [last - 1, last] };
      const inner = [...gate.controls, true].reduceRight<Gate>(
        (inner, polarity) => modify(inner, { kind: polarity ? "ctrl" : "negctrl", count: 1 }),
        root,
      );
      return withSteps(gate, [turn, { gate: inner, params: [], qubits: middle }, turn], { name, symbol });
    }
    case "composite":
      return { ...compositePower(gate, exponent), name, symbol, controls: gate.controls };
  }
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
    withSteps(
      gate,
      gate.steps.map(step => ({ ...step, gate: modify(step.gate, { kind: "pow", exponent }) })),
    );
  if (gate.steps.length === 1) return ofSteps();
  if (Number.isInteger(exponent))
    return repeated(exponent < 0 ? modify(gate, { kind: "inv" }) : gate, Math.abs(exponent));
  const isSmall = gate.numQubits <= MAX_POWER_QUBITS && gate.size * 4 ** gate.numQubits <= MAX_WORK;
  if (isSmall && gate.numQubits > 0) {
    const unitary = (params: readonly number[]) => unitaryPower(unitaryOf(gate, params), exponent);
    const made = gate.numQubits === 1 ? singlePower(gate, exponent) : gateOfUnitary(gate, unitary);
    return { ...made, size: made.size + Math.ceil((gate.size * 4 ** gate.numQubits) / 10) };
  }
  if (gate.diagonal && isPrincipal(gate)) return ofSteps();
  throw new RangeError(
    `The fractional power ${exponent} of ${gate.name} is out of reach: such a power is taken of gates of at most ${MAX_POWER_QUBITS} qubits, and of few steps.`,
  );
}

function singlePower(gate: CompositeGate, exponent: number): CompositeGate {
  const { name, symbol, numParams, diagonal } = gate;
  const matrix: MatrixGate["matrix"] = (params, at) => {
    const own = Array.from({ length: numParams }, (_, i) => params[at + i]!);
    return power2(unitaryOf(gate, own), exponent);
  };
  const single = matrixGate(name, matrix, { symbol, numParams, diagonal });
  return withSteps(gate, [{ gate: single, params: parameters(numParams), qubits: [0] }]);
}

/** True where the phases of a diagonal gate's steps stay within (-π, π], so the power is that of each step. */
function isPrincipal(gate: CompositeGate): boolean {
  if (gate.numParams > 0 || gate.size > MAX_WORK) return false;
  let [least, greatest] = [0, 0];
  visitPrimitives(gate, [], [...Array(gate.numQubits).keys()], ({ gate: step, params }) => {
    const phases = step.controls.length > 0 ? [0] : [];
    if (step.kind === "phase") phases.push(principal(step.scale * params[0]!));
    else if (step.kind === "matrix") {
      const m = step.matrix(params, 0);
      phases.push(principal(Math.atan2(m[1]!, m[0]!)), principal(Math.atan2(m[7]!, m[6]!)));
    }
    least += Math.min(...phases);
    greatest += Math.max(...phases);
  });
  return least > -Math.PI + 1e-9 && greatest <= Math.PI + 1e-9;
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
    doubled = withSteps(gate, [half, half]);
  }
  return withSteps(gate, steps);
}
