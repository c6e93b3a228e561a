import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Circuit,
  type Target,
  type TargetTopology,
  targetOf,
  transpile,
  twoQubitGateCount,
} from "../../src/simulation/index.ts";
import { interactionsOf } from "../../src/simulation/transpile/layout.ts";
import type { Operation } from "../../src/simulation/transpile/operation.ts";
import {
  elideSwaps,
  simplify,
  withoutDiagonalsBeforeMeasurement,
} from "../../src/simulation/transpile/passes.ts";
import { readOperations, withoutKnown } from "../../src/simulation/transpile/read.ts";
import { TARGETS } from "../simulation/transpile/devices.ts";
import { geometricMean, report } from "./measure.ts";
import { referenceSabre } from "./sabre-reference.ts";

/** A folder with files that Benchpress (github.com/Qiskit/benchpress, branch previous_results) has recorded. */
const BENCHPRESS = process.env.BENCHPRESS ?? "";

export interface NamedCircuit {
  readonly name: string;
  readonly circuit: Circuit;
}

/** Two-qubit gates of a program, and those of the same program from elsewhere. */
interface Comparison {
  readonly name: string;
  readonly own: number;
  readonly reference: number;
}

/** Compares level 3 with a SABRE of its own, and with counts that other transpilers are recorded with. */
export function benchReferences(circuits: readonly NamedCircuit[]): void {
  const flat = circuits.filter(({ circuit }) =>
    operationsOf(circuit).every(({ kind }) => kind !== "statement"),
  );
  const rows = [HEAD];
  for (const [name, target] of Object.entries(TARGETS)) {
    const fitting = flat.filter(({ circuit }) => circuit.numQubits <= target.numQubits);
    const compared = fitting.map(one => againstSabre(one, target));
    rows.push(
      summary(
        `${name}, swaps as three gates`,
        compared.map(([plain]) => plain),
      ),
    );
    rows.push(
      summary(
        `${name}, simplified`,
        compared.map(([, simplified]) => simplified),
      ),
    );
  }
  report("Transpiler, level 3 beside SABRE", rows);
  if (BENCHPRESS) benchRecorded(flat);
}

const HEAD = ["", "programs", "geometric mean", "worst"];

function summary(title: string, all: readonly Comparison[]): string[] {
  const counted = all.filter(({ own, reference }) => own > 0 && reference > 0);
  const ratio = ({ own, reference }: Comparison) => own / reference;
  const worst = counted.toSorted((a, b) => ratio(b) - ratio(a)).slice(0, 5);
  return [
    title,
    String(counted.length),
    geometricMean(counted.map(ratio)).toFixed(3),
    worst.map(({ name, own, reference }) => `${name} ${own}/${reference}`).join(", "),
  ];
}

const operationsOf = ({ parts }: Circuit): readonly Operation[] =>
  readOperations(
    withoutKnown(parts),
    Array.from({ length: parts.numQubits }, (_, i) => i),
  );

/** Compares with SABRE from the same simplified gates: each swap as three gates, and simplified once more. */
function againstSabre({ name, circuit }: NamedCircuit, target: Target): readonly [Comparison, Comparison] {
  const { numQubits } = target;
  const own = twoQubitGateCount(transpile(circuit, target, { optimizationLevel: 3 }).circuit);
  const elided = elideSwaps(simplify(operationsOf(circuit), numQubits), circuit.numQubits);
  const input = simplify(withoutDiagonalsBeforeMeasurement(elided.operations), numQubits);
  const routed = referenceSabre(input, target);
  const plain = nativeCount(input, target) + 3 * routed.swaps;
  const simplified = nativeCount(simplify(routed.operations, numQubits), target);
  return [
    { name, own, reference: plain },
    { name, own, reference: simplified },
  ];
}

function nativeCount(operations: readonly Operation[], { numQubits, basis }: Target): number {
  const { partners } = interactionsOf(operations, numQubits, basis);
  return partners.reduce((sum, counts) => [...counts.values()].reduce((a, b) => a + b, sum), 0) / 2;
}

/** Compares with the counts in recorded files, on the topologies that they are for. */
function benchRecorded(circuits: readonly NamedCircuit[]): void {
  const rows = [HEAD];
  const own = new Map<string, number>();
  for (const file of readdirSync(BENCHPRESS)
    .filter(path => path.endsWith(".json"))
    .sort()) {
    const { benchmarks } = JSON.parse(readFileSync(join(BENCHPRESS, file), "utf8")) as {
      benchmarks: readonly { name: string; extra_info: { output_gate_count_2q?: number } }[];
    };
    const recorded = new Map(benchmarks.map(one => [one.name.split("[").at(-1), one.extra_info]));
    for (const [topology, topologyOf] of Object.entries(TOPOLOGIES)) {
      const compared = circuits.flatMap(({ name, circuit }) => {
        const key = `${name}-${topology}`;
        const reference = recorded.get(`${key}]`)?.output_gate_count_2q;
        if (reference === undefined) return [];
        const count = own.get(key) ?? countOn(circuit, topologyOf(circuit.numQubits));
        own.set(key, count);
        return [{ name, own: count, reference }];
      });
      if (compared.length > 0) rows.push(summary(`${file.replace(".json", "")}, ${topology}`, compared));
    }
  }
  report("Transpiler, level 3 beside recorded counts: QASMBench", rows);
}

function countOn(circuit: Circuit, topology: TargetTopology): number {
  return twoQubitGateCount(transpile(circuit, targetOf(topology), { optimizationLevel: 3 }).circuit);
}

/** The least devices of each topology that have so many qubits. */
const TOPOLOGIES: Readonly<Record<string, (numQubits: number) => TargetTopology>> = {
  "all-to-all": qubits => ({ type: "fully-connected", qubits }),
  linear: numQubits => ({ type: "square-lattice", rows: 1, cols: numQubits }),
  square: numQubits => {
    const side = Math.ceil(Math.sqrt(numQubits));
    return { type: "square-lattice", rows: side, cols: side };
  },
  "heavy-hex": heavyHex,
};

/** Returns the heavy hexagons of the least odd distance: lines of qubits, every other four joined to the next line by one. */
function heavyHex(numQubits: number): TargetTopology {
  let distance = 3;
  while ((5 * distance ** 2 - 2 * distance - 1) / 2 < numQubits) distance += 2;
  const length = 2 * distance - 1;
  const edges: (readonly [number, number])[] = [];
  let qubits = distance * length;
  for (let row = 0; row < distance; row++) {
    const start = row * length;
    for (let i = 1; i < length; i++) edges.push([start + i - 1, start + i]);
    if (row === distance - 1) break;
    for (let i = 0; i < length; i++) {
      const isJoined = row % 2 === 0 ? i === 0 || i % 4 === 3 : i === length - 1 || i % 4 === 1;
      if (!isJoined) continue;
      edges.push([start + i, qubits], [qubits, start + length + i]);
      qubits++;
    }
  }
  return { type: "coupling-map", qubits, edges };
}
