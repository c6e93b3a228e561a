import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type Circuit,
  compile,
  type OptimizationLevel,
  type Target,
  transpile,
} from "../../src/simulation/index.ts";
import { randomNumbers, shuffled } from "../../src/simulation/transpile/layout.ts";
import { TARGETS } from "../simulation/transpile/devices.ts";
import { geometricMean, report } from "./measure.ts";
import { benchReferences, type NamedCircuit } from "./transpile-references.ts";

const LEVELS: readonly OptimizationLevel[] = [0, 1, 2, 3];
/** A folder with the small and medium programs of QASMBench, which are no part of this repository. */
const QASMBENCH = process.env.QASMBENCH ?? "";

const program = (numQubits: number, lines: readonly string[]): Circuit =>
  compile({
    format: "qasm3",
    data: `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[${numQubits}] q;\nbit[${numQubits}] c;\n${lines.join("\n")}\nc = measure q;`,
  });

/** Gates on random qubits, every other one a CX. */
function randomGates(numQubits: number, count: number): Circuit {
  const random = randomNumbers(numQubits);
  const lines = Array.from({ length: count }, (_, i) => {
    const [a, b] = shuffled(numQubits, random);
    return i % 2 === 0 ? `ry(${random()}) q[${a}];` : `cx q[${a}], q[${b}];`;
  });
  return program(numQubits, lines);
}

/** A quantum volume circuit: layers of random two-qubit unitaries on random pairs, as many as there are qubits. */
export function quantumVolume(numQubits: number): Circuit {
  const random = randomNumbers(numQubits);
  const turn = (qubit: number) => `U(${random() * 3}, ${random() * 6}, ${random() * 6}) q[${qubit}];`;
  const lines = Array.from({ length: numQubits }, () => {
    const order = shuffled(numQubits, random);
    return Array.from({ length: numQubits >> 1 }, (_, i) => {
      const [a, b] = [order[2 * i]!, order[2 * i + 1]!];
      const layer = `${turn(a)} ${turn(b)}`;
      return [layer, layer, layer].join(` cx q[${a}], q[${b}]; `).concat(` cx q[${b}], q[${a}]; ${layer}`);
    });
  }).flat();
  return program(numQubits, lines);
}

/** Counts two-qubit gates and times the transpiler, for programs and devices of 7 to 127 qubits and each level. */
export async function benchTranspile(): Promise<void> {
  for (const [title, make] of [
    ["1,000 random gates on every qubit", (target: Target) => randomGates(target.numQubits, 1000)],
    ["quantum volume, 10 qubits at most", (target: Target) => quantumVolume(Math.min(10, target.numQubits))],
  ] as const) {
    const rows = [["", ...LEVELS.map(level => `level ${level}`)]];
    for (const [name, target] of Object.entries(TARGETS)) {
      const circuit = make(target);
      rows.push([name, ...LEVELS.map(level => measured(circuit, target, level))]);
    }
    report(`Transpiler, two-qubit gates and time: ${title}`, rows);
  }
  benchQasmBench();
  benchReferences([
    ...[5, 7, 10, 16, 20].map(width => ({ name: `volume_n${width}`, circuit: quantumVolume(width) })),
    ...qasmBench("small", "medium"),
  ]);
}

function measured(circuit: Circuit, target: Target, optimizationLevel: OptimizationLevel): string {
  const start = performance.now();
  const count = twoQubitGates(circuit, target, optimizationLevel);
  return `${count} in ${(performance.now() - start).toFixed(0)} ms`;
}

function twoQubitGates(circuit: Circuit, target: Target, optimizationLevel: OptimizationLevel): number {
  const counts = transpile(circuit, target, { optimizationLevel }).circuit.gateCounts();
  return counts[target.basis.twoQubit] ?? 0;
}

/** Prints the geometric means of two-qubit gates of QASMBench's programs, where they are at hand. */
function benchQasmBench(): void {
  const circuits = qasmBench("small", "medium").map(({ circuit }) => circuit);
  if (circuits.length === 0) return;
  const rows = [["", ...LEVELS.map(level => `level ${level}`)]];
  for (const [name, target] of Object.entries(TARGETS)) {
    const fitting = circuits.filter(({ numQubits }) => numQubits <= target.numQubits);
    rows.push([
      `${name}, ${fitting.length} programs`,
      ...LEVELS.map(level => {
        const counts = fitting.map(circuit => twoQubitGates(circuit, target, level));
        return geometricMean(counts.filter(count => count > 0)).toFixed(2);
      }),
    ]);
  }
  report("Transpiler, geometric mean of two-qubit gates: QASMBench", rows);
}

/** Reads the programs of QASMBench that compile and have at most 200,000 characters. */
function qasmBench(...sizes: readonly string[]): NamedCircuit[] {
  if (!existsSync(QASMBENCH)) return [];
  return sizes.flatMap(size =>
    readdirSync(join(QASMBENCH, size), { recursive: true })
      .map(path => join(QASMBENCH, size, String(path)))
      .filter(path => path.endsWith(".qasm") && !path.endsWith("_transpiled.qasm"))
      .sort()
      .flatMap(path => {
        const data = readFileSync(path, "utf8");
        try {
          if (data.length > 200_000) return [];
          return [{ name: basename(path, ".qasm"), circuit: compile({ format: "qasm2", data }) }];
        } catch {
          return [];
        }
      }),
  );
}
