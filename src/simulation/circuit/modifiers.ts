import { compositeGate, type Gate, type GateStep } from "./gate.ts";
import { adjoint2, matrix2, power2 } from "./matrix.ts";
import type { Memory } from "./memory.ts";
import { STDGATES } from "./standard.ts";
import { gateOfUnitary } from "./two-level.ts";
import { unitaryOf, unitaryPower } from "./unitary.ts";

/** One modifier of a gate call, with its argument. */
export type Modifier =
  | { readonly kind: "inv" }
  | { readonly kind: "pow"; readonly exponent: number }
  | { readonly kind: "ctrl" | "negctrl"; readonly count: number };

const named = (name: string) => STDGATES.find(gate => gate.name === name)!;
const cx = named("cx");

/**
 * Gives the gate that a modifier makes of another one.
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
    if (modified.kind === "composite") steps += modified.steps.length;
    if (made.size < MOST_REMEMBERED) made.set(key, modified);
  }
  return modified;
}

let steps = 0;

/** Gives how many steps the definitions of modified gates have had so far, over all programs: what a program adds is its own. */
export const builtSteps = (): number => steps;

const MOST_REMEMBERED = 1024;
/** Steps of a gate beyond which its matrix is not multiplied out. */
const MOST_STEPS = 100_000;

/** Qubits of a gate beyond which its fractional power is not computed. */
const MOST_POWER_QUBITS = 5;

/** What was made of each gate, so that a definition which uses a gate many times is gone through once. */
const memory = new WeakMap<Gate, Map<string, Gate>>();

function build(gate: Gate, modifier: Modifier): Gate {
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
  return compositeGate(name, gate.numParams, numQubits, steps, { symbol: gate.symbol, controls });
}

function invert(gate: Gate): Gate {
  const name = `inv @ ${gate.name}`;
  const symbol = `${gate.symbol}†`;
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
  const name = `pow(${exponent}) @ ${gate.name}`;
  const symbol = `${gate.symbol}^${Number(exponent.toPrecision(6))}`;
  switch (gate.kind) {
    case "matrix":
      return { ...gate, name, symbol, matrix: (params, at) => power2(gate.matrix(params, at), exponent) };
    case "phase":
      return { ...gate, name, scale: gate.scale * exponent };
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

function compositePower(gate: Gate & { kind: "composite" }, exponent: number): Gate {
  if (gate.diagonal || gate.steps.length === 1) {
    const steps = gate.steps.map(step => ({ ...step, gate: power(step.gate, exponent) }));
    return compositeGate(gate.name, gate.numParams, gate.numQubits, steps);
  }
  if (Number.isInteger(exponent)) return repeated(exponent < 0 ? inverse(gate) : gate, Math.abs(exponent));
  if (gate.numQubits === 1 && gate.size <= MOST_STEPS)
    return {
      ...gate,
      kind: "matrix",
      matrix: (params, at) => {
        const own = Array.from({ length: gate.numParams }, (_, i) => params[at + i]!);
        const { re, im } = unitaryOf(gate, own);
        return power2(matrix2(re[0]!, im[0]!, re[1]!, im[1]!, re[2]!, im[2]!, re[3]!, im[3]!), exponent);
      },
    };
  if (gate.numQubits <= MOST_POWER_QUBITS && gate.size <= MOST_STEPS)
    return gateOfUnitary(gate.name, gate.numParams, gate.numQubits, params =>
      unitaryPower(unitaryOf(gate, params), exponent),
    );
  throw new RangeError(
    `The fractional power ${exponent} of ${gate.name} is out of reach: such a power is taken of gates of at most ${MOST_POWER_QUBITS} qubits and ${MOST_STEPS.toLocaleString("en-US")} steps.`,
  );
}

/** Gives the gate applied `count` times, as a tree of doublings so that its definition stays small. */
function repeated(gate: Gate, count: number): Gate {
  const qubits = [...Array(gate.numQubits).keys()];
  const params = Array.from(
    { length: gate.numParams },
    (_, i) =>
      ({ slots }: Memory) =>
        slots[i] as number,
  );
  const steps: GateStep[] = [];
  let doubled = gate;
  for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) steps.push({ gate: doubled, params, qubits });
    const half: GateStep = { gate: doubled, params, qubits };
    doubled = compositeGate(gate.name, gate.numParams, gate.numQubits, [half, half]);
  }
  return compositeGate(gate.name, gate.numParams, gate.numQubits, steps);
}
