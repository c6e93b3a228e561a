import type { Expression } from "./expression.ts";
import { compositeGate, type Gate } from "./gate.ts";
import { modificationOf, modify } from "./modifiers.ts";
import { NATIVE } from "./native.ts";
import type { Modifier } from "./power.ts";
import { GPHASE, QASM2_BUILT_IN, QELIB1, STDGATES, U3 } from "./standard.ts";

const LIBRARIES: Readonly<Record<string, readonly Gate[]>> = {
  language: [U3, GPHASE],
  "stdgates.inc": STDGATES,
  "qelib1.inc": QELIB1,
  "OpenQASM 2": QASM2_BUILT_IN,
  native: NATIVE,
};

/** A gate as plain data: one of a library, one that is made of another, or a sequence of others. Other gates are places in the same list, in front of it. */
export type GateData =
  | { readonly kind: "library"; readonly library: string; readonly name: string }
  | { readonly kind: "modified"; readonly gate: number; readonly modifier: Modifier }
  | {
      readonly kind: "defined";
      readonly name: string;
      readonly numParams: number;
      readonly numQubits: number;
      readonly operandNames?: readonly string[];
      readonly steps: readonly {
        readonly gate: number;
        readonly params: readonly Expression[];
        readonly qubits: readonly number[];
      }[];
    };

/** Returns gates as plain data: all that they are made of, and the place of each. */
export function gateData(gates: readonly Gate[]): { definitions: GateData[]; places: number[] } {
  const definitions: GateData[] = [];
  const known = new Map<Gate, number>();
  const placeOf = (gate: Gate): number => {
    const place = known.get(gate);
    if (place !== undefined) return place;
    const data = dataOf(gate, placeOf);
    known.set(gate, definitions.push(data) - 1);
    return definitions.length - 1;
  };
  return { places: gates.map(placeOf), definitions };
}

function dataOf(gate: Gate, placeOf: (gate: Gate) => number): GateData {
  const { name, numParams, numQubits } = gate;
  for (const [library, gates] of Object.entries(LIBRARIES))
    if (gates.includes(gate)) return { kind: "library", library, name };
  const made = modificationOf(gate);
  if (made) return { kind: "modified", gate: placeOf(made.gate), modifier: made.modifier };
  if (gate.kind !== "composite") throw new TypeError(`The gate ${name} has no definition.`);
  const steps = gate.steps.map(step => ({ ...step, gate: placeOf(step.gate) }));
  const { operandNames } = gate;
  return { kind: "defined", name, numParams, numQubits, ...(operandNames && { operandNames }), steps };
}

/** Returns the gates that data stand for, in their order. */
export function gatesOf(definitions: readonly GateData[]): Gate[] {
  const gates: Gate[] = [];
  for (const data of definitions)
    switch (data.kind) {
      case "library":
        gates.push(LIBRARIES[data.library]!.find(({ name }) => name === data.name)!);
        break;
      case "modified":
        gates.push(modify(gates[data.gate]!, data.modifier));
        break;
      case "defined": {
        const steps = data.steps.map(step => ({ ...step, gate: gates[step.gate]! }));
        const { name, numParams, numQubits, operandNames } = data;
        gates.push(compositeGate(name, numParams, numQubits, steps, { operandNames }));
      }
    }
  return gates;
}
