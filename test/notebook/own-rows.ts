import { Calibration, qasm } from "../../src/index.ts";

export const rows = ["garnet", "forte"].flatMap((device, index) =>
  Array.from({ length: 12 }, (_, step) => {
    const p1 = Math.exp(-step / (4 + 3 * index));
    return { delay: 10 * step, p1, low: p1 * 0.9, high: p1 * 1.1, device, day: `2026-11-${10 + step}` };
  }),
);
export const one = rows.slice(0, 12);
export const bell = { "00": Math.SQRT1_2, "11": [0, Math.SQRT1_2] } as const;
export const program = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;
export const calibration = Calibration.from({
  qubits: { 0: { T1: 120, readoutError: 0.02 }, 1: { T1: 95, readoutError: 0.03 } },
  edges: { gateError: { cx: [{ source: 0, target: 1, value: 0.008 }] } },
});
