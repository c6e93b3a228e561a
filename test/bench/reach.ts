import { Session } from "node:inspector/promises";
import { type Circuit, compile, simulate, simulateNoisy, uniformNoise } from "../../src/simulation/index.ts";
import { report } from "./measure.ts";

const SHOTS = 1000;
const FOLDER = "/src/simulation/";

const BELL = `OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[2] c;
h q[0];
cx q[0], q[1];
c = measure q;
`;

/** Five qubits that are measured and reset in a loop, until the last outcome is 0. */
const LOOP = `OPENQASM 3.0;
include "stdgates.inc";
qubit[5] q;
bit[5] c;
for int i in [0:3] { ry(0.3 + 0.2 * i) q[i]; cx q[i], q[i + 1]; }
c[4] = measure q[4];
while (c[4]) { reset q[4]; rx(0.9) q[3]; cx q[3], q[4]; c[4] = measure q[4]; }
c[0:3] = measure q[0:3];
`;

const noise = () =>
  uniformNoise(
    {
      oneQubit: [
        { channel: "depolarizing", probability: 0.001 },
        { channel: "amplitude_damping", gamma: 0.002 },
      ],
      twoQubit: [{ channel: "depolarizing", probability: 0.01 }],
      readout: { zeroGivenOne: 0.02, oneGivenZero: 0.01 },
    },
    5,
  );

const circuitOf = (data: string) => compile({ format: "qasm3", data });

/** Programs, and how each is run. */
const PROGRAMS: readonly { name: string; data: string; run(circuit: Circuit): unknown }[] = [
  {
    name: "Bell",
    data: BELL,
    run: circuit => simulate(circuit, { shots: SHOTS, seed: 1 }).measurementCounts,
  },
  {
    name: "a noisy loop of 5 qubits",
    data: LOOP,
    run: circuit => simulateNoisy(circuit, noise(), { shots: SHOTS, seed: 1 }).measurementCounts,
  },
];

/** Returns the files of the simulation of which a run calls a function, and the number of functions that it calls. */
async function reachOf(run: () => unknown): Promise<{ files: string[]; functions: number }> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const entered = result
    .filter(({ url }) => url.includes(FOLDER))
    .map(({ url, functions }) => ({
      file: url.split(FOLDER)[1]!,
      functions: functions.filter(({ ranges }) => ranges[0]!.count > 0).length,
    }))
    .filter(({ functions }) => functions > 0);
  return {
    files: entered.map(({ file }) => file).sort(),
    functions: entered.reduce((sum, { functions }) => sum + functions, 0),
  };
}

/** Prints how many files and functions of the simulation small programs enter: what one has to read to follow them. */
export async function benchReach(): Promise<void> {
  const rows = [["program", "files", "functions"]];
  for (const { name, data, run } of PROGRAMS) {
    const circuit = circuitOf(data);
    const all = await reachOf(() => run(circuitOf(data)));
    const own = await reachOf(() => run(circuit));
    rows.push(
      [`${name}, from its text to counts`, String(all.files.length), String(all.functions)],
      [`${name}, once it is compiled`, String(own.files.length), String(own.functions)],
    );
    if (process.env.KETBOOK_BENCH_FULL)
      process.stdout.write(`${name}:\n${all.files.map(file => `  ${file}\n`).join("")}`);
  }
  report("Files and functions of src/simulation that a program enters, by V8's coverage", rows);
}
