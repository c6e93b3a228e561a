import type { Gate } from "../circuit/gate.ts";
import { QELIB1, STDGATES } from "../circuit/standard.ts";
import { gatesIn } from "../openqasm/lowering/compile.ts";

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
const ISING = `
gate rzz(t) a, b { cx a, b; rz(t) b; cx a, b; }
gate rxx(t) a, b { h a; h b; rzz(t) a, b; h a; h b; }
gate ryy(t) a, b { rx(pi / 2) a; rx(pi / 2) b; rzz(t) a, b; rx(-pi / 2) a; rx(-pi / 2) b; }
`;

let ising: readonly Gate[] | undefined;

/** Gives the gate of QIR's instruction set that a name such as `h__body` or `s__adj` stands for, or undefined. */
export function qirGate(name: string): Gate | undefined {
  const own = NAMES[name.replace(/__body$/, "")];
  ising ??= gatesIn(ISING, STDGATES);
  return ising.find(gate => gate.name === own) ?? [...STDGATES, ...QELIB1].find(gate => gate.name === own);
}
