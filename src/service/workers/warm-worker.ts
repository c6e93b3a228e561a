import { run } from "./worker.ts";

export { run };

const WARM_UP_RUNS = 10;
const WIDE_WARM_UP_RUNS = 3;
const WIDE_QUBITS = 14;

function repeat(times: number, data: string): void {
  for (let at = 0; at < times; at += 1)
    run({
      device: { qrn: "", engine: "statevector", numberQubits: WIDE_QUBITS },
      others: [],
      noise: null,
      overhead: { perTask: 0, perShot: 0 },
      target: null,
      programs: [{ format: "qasm3", data }],
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
}

const head = (qubits: number) =>
  `OPENQASM 3.0; include "stdgates.inc"; qubit[${qubits}] q; bit[${qubits}] c;`;

/** A thread takes its first job once most of the code for runs of few qubits is loaded and compiled. */
repeat(WARM_UP_RUNS, `${head(2)} h q[0]; cx q[0], q[1]; c = measure q;`);

let isWarm = false;

/** Starts the thread, and loads and compiles what runs of more qubits need besides: called when no job waits for it. */
export function warmUp(): void {
  if (isWarm) return;
  isWarm = true;
  const layer = (angle: number) =>
    Array.from(
      { length: WIDE_QUBITS },
      (_, i) => `ry(${angle}) q[${i}]; rz(${angle}) q[${i}]; cx q[${i}], q[${(i + 1) % WIDE_QUBITS}];`,
    ).join("\n");
  repeat(WIDE_WARM_UP_RUNS, `${head(WIDE_QUBITS)}\n${layer(0.3)}\n${layer(0.7)}\nc = measure q;`);
}
