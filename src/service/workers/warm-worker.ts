import { run } from "./worker.ts";

export { run };

/** Does nothing but start the thread. */
export function warmUp(): void {}

const WARM_UP_RUNS = 10;

/** A thread takes its first job once most of what a run needs is loaded and compiled. */
for (let at = 0; at < WARM_UP_RUNS; at += 1)
  run({
    device: { qrn: "", engine: "statevector", numberQubits: 2 },
    others: [],
    noise: null,
    overhead: { perTask: 0, perShot: 0 },
    target: null,
    programs: [
      {
        format: "qasm3",
        data: 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;',
      },
    ],
    inputs: {},
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
