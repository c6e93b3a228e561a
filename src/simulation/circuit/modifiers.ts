import { compositeGate, type Gate, type GateStep } from "./gate.ts";
import { adjoint2, type Matrix2, multiply2, power2 } from "./matrix.ts";
import { type Memory, parameterMemory } from "./memory.ts";
import { STDGATES } from "./standard.ts";

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
  const key = JSON.stringify(modifier);
  let modified = made.get(key);
  if (!modified) {
    modified = build(gate, modifier);
    if (made.size < MOST_REMEMBERED) made.set(key, modified);
  }
  return modified;
}

const MOST_REMEMBERED = 1024;
/** Steps of a gate beyond which its matrix is not multiplied out. */
const MOST_STEPS = 100_000;

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
      matrix: (params, at) =>
        power2(
          productOf(
            gate,
            Array.from({ length: gate.numParams }, (_, i) => params[at + i]!),
          ),
          exponent,
        ),
    };
  throw new RangeError(
    `The fractional power ${exponent} of ${gate.name}, a gate of several steps, is not supported yet.`,
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

/** Gives the 2×2 matrix of a composite gate on one qubit. */
function productOf(gate: Gate, params: number[]): Matrix2 {
  if (gate.kind === "matrix") return gate.matrix(params, 0);
  if (gate.kind === "phase") {
    const angle = gate.scale * params[0]!;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const selected = [c, s];
    const [zero, one] = gate.controls.map(on => (on ? [[1, 0], selected] : [selected, [1, 0]]))[0] ?? [
      selected,
      selected,
    ];
    return Float64Array.from([...zero!, 0, 0, 0, 0, ...one!]);
  }
  let product: Matrix2 = Float64Array.from([1, 0, 0, 0, 0, 0, 1, 0]);
  if (gate.kind === "swap") return product;
  const slots = parameterMemory(params);
  for (const step of gate.steps) {
    const own = step.params.map(compute => compute(slots));
    product = multiply2(productOf(step.gate, own), product);
  }
  return product;
}
