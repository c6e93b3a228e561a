import { constant } from "../circuit/expression.ts";
import { compositeGate, type Gate, type GateStep, parameters } from "../circuit/gate.ts";
import { QELIB1, STDGATES } from "../circuit/standard.ts";
import { FLOAT } from "../circuit/values/types.ts";

const NAMES: Readonly<Record<string, string>> = {
  h: "h",
  x: "x",
  y: "y",
  z: "z",
  s: "s",
  s__adj: "sdg",
  t: "t",
  t__adj: "tdg",
  sx: "sx",
  rx: "rx",
  ry: "ry",
  rz: "rz",
  cnot: "cx",
  cx: "cx",
  cy: "cy",
  cz: "cz",
  swap: "swap",
  ccx: "ccx",
  toffoli: "ccx",
  rxx: "rxx",
  ryy: "ryy",
  rzz: "rzz",
};
/** A rotation by ZZ, between gates that turn another axis into Z on both qubits and back. */
function ising(name: string, into: GateStep[], back: GateStep[]): Gate {
  const [cx, rz] = [named("cx"), named("rz")];
  const twist: GateStep = { gate: cx, params: [], qubits: [0, 1] };
  const turn: GateStep = { gate: rz, params: parameters(1), qubits: [1] };
  return compositeGate(name, 1, 2, [...into, twist, turn, twist, ...back]);
}

const named = (name: string): Gate => STDGATES.find(gate => gate.name === name)!;
const both = (gate: Gate, ...angles: number[]): GateStep[] =>
  [0, 1].map(qubit => ({ gate, params: angles.map(angle => constant(FLOAT, angle)), qubits: [qubit] }));

const ISING: readonly Gate[] = [
  ising("rzz", [], []),
  ising("rxx", both(named("h")), both(named("h"))),
  ising("ryy", both(named("rx"), Math.PI / 2), both(named("rx"), -Math.PI / 2)),
];

/** Returns the gate of QIR's instruction set that a name such as `h__body` or `s__adj` stands for, or undefined. */
export function qirGate(name: string): Gate | undefined {
  const own = NAMES[name.replace(/__body$/, "")];
  return ISING.find(gate => gate.name === own) ?? [...STDGATES, ...QELIB1].find(gate => gate.name === own);
}
