import { run } from "./worker.ts";

export { run };

const BELL =
  'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;';

/** A thread takes its first job once most of the code for small programs is loaded and compiled. */
for (let times = 0; times < 10; times += 1)
  run({
    device: { qrn: "", engine: "statevector", numberQubits: 2 },
    others: [],
    noise: null,
    overhead: { perTask: 0, perShot: 0 },
    target: null,
    programs: [{ format: "qasm3", data: BELL }],
    compileOptions: {},
    shots: 1000,
    seed: 0,
    memory: false,
    statevector: false,
    observables: [],
    precision: undefined,
    maxBondDimension: undefined,
    limits: { seconds: 1, operations: 1e6, bytes: 1e6 },
    control: null,
    port: { postMessage() {}, close() {} },
  });
