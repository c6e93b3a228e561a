import { compile } from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";

export const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });
export const BELL = "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;";
export const FLOW = `qubit[3] q; bit[2] c; negctrl @ rz(-3*pi/8) q[0], q[1]; swap q[0], q[2]; barrier q; c[0] = measure q[0];
  if (c == 1) { x q[2]; reset q[1]; } for int i in [0:1] { h q[i]; }`;
