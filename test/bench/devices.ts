import {
  compile,
  expectedFidelity,
  simulate,
  simulateDevice,
  transpile,
  twoQubitGateCount,
} from "../../src/simulation/index.ts";
import { figuresOf } from "../simulation/schedule/devices.ts";
import { TARGETS } from "../simulation/transpile/devices.ts";
import { report } from "./measure.ts";
import { quantumVolume } from "./transpile.ts";

const SHOTS = 1000;
const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';

const ghz = (count: number) =>
  compile({
    format: "qasm3",
    data: `${HEAD}qubit[${count}] q; bit[${count}] c; h q[0]; for int i in [1:${count - 1}] { cx q[i - 1], q[i]; } c = measure q;`,
  });

/** Programs by their names, and what an outcome says for the device: the probability of the outcomes that count. */
const PROGRAMS = [
  ["Bell", ghz(2)],
  ["GHZ-5", ghz(5)],
  ["GHZ-20", ghz(20)],
  ["quantum volume, 5", quantumVolume(5)],
] as const;

/**
 * Transpiles programs for each device and runs 1,000 shots: two-qubit gates, processor time, and how often the outcomes are
 * those that the program makes likely (both of a GHZ state, the heavier half of quantum volume), beside the same without
 * noise and the expected fidelity of a shot by the figures.
 */
export async function benchDevices(): Promise<void> {
  const rows = [
    ["", "two-qubit gates", "transpiler", "1,000 shots", "likely outcomes", "of", "expected fidelity"],
  ];
  for (const [name, target] of Object.entries(TARGETS)) {
    const figures = figuresOf(name);
    for (const [title, program] of PROGRAMS) {
      if (program.numQubits > target.numQubits) continue;
      const [{ circuit }, transpiling] = timed(() => transpile(program, target, { optimizationLevel: 3 }));
      const [{ measurementCounts }, running] = timed(() =>
        simulateDevice(circuit, figures, { shots: SHOTS, seed: 1 }),
      );
      const exact = simulate(program, { shots: 0 }).measurementProbabilities!;
      const middle = Object.values(exact).sort((a, b) => a - b)[Object.keys(exact).length >> 1]!;
      const likely = Object.keys(exact).filter(key => exact[key]! >= middle);
      const share = (weights: Record<string, number>, all: number) =>
        (likely.reduce((sum, key) => sum + (weights[key] ?? 0), 0) / all).toFixed(3);
      rows.push([
        `${name}, ${title}`,
        String(twoQubitGateCount(circuit)),
        `${transpiling.toFixed(0)} ms`,
        `${running.toFixed(0)} ms`,
        share(measurementCounts, SHOTS),
        share(exact, 1),
        expectedFidelity(circuit, figures).toFixed(3),
      ]);
    }
  }
  report("Emulated QPUs: level 3, 1,000 shots, processor time", rows);
}

function timed<T>(run: () => T): readonly [T, number] {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return [result, (user + system) / 1000];
}
