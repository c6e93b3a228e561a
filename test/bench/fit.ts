import { startBudget } from "../../src/simulation/execution/limits.ts";
import { Tally } from "../../src/simulation/execution/tally.ts";
import { type Circuit, compile, SimulationError } from "../../src/simulation/index.ts";
import { METHODS, type MeteredCost, type Method } from "../../src/simulation/methods/index.ts";
import { simulatorNamed } from "../../src/simulation/plan/rank.ts";
import { philox } from "../../src/simulation/sampling/philox.ts";
import { realPrograms } from "./choice.ts";
import { openQasm } from "./circuit-texts.ts";
import {
  ansatz,
  cliffordCircuit,
  fourierTransform,
  ghz,
  grover,
  randomCircuit,
  turnedGhz,
} from "./circuits.ts";
import { report, threadTime } from "./measure.ts";

const LIMIT_MS = 3000;
const SHOTS = 100;
/** Microseconds of a run from which on it counts. */
const FEWEST_MICROSECONDS = 200;

interface Sample {
  readonly operations: number;
  readonly numbers: number;
  readonly microseconds: number;
}

/** Returns what the meter of a method counts in a run, and the least time that it takes; undefined if it fails. */
function sampleOf(circuit: Circuit, name: Method["name"]): Sample | undefined {
  try {
    const run = () => {
      const budget = startBudget({ maxOperations: 1e8, maxMilliseconds: LIMIT_MS });
      let [operations, numbers] = [0, 0];
      const meter = {
        spend(touched: number) {
          operations++;
          numbers += touched;
          budget.spend(touched);
        },
        work(touched: number, share: number) {
          numbers += touched;
          budget.work(touched, share);
        },
      };
      simulatorNamed(name, false).run(circuit, {
        shots: SHOTS,
        statevector: false,
        observables: [],
        noise: null,
        maxBytes: 2 ** 30,
        threads: 1,
        random: philox(1),
        meter,
        tally: new Tally(circuit.registers.classical, { shots: SHOTS, keepsMemory: false, variables: [] }),
        readout: null,
        onExpectations() {},
        onTruncation() {},
      });
      return { operations, numbers };
    };
    const counted = run();
    return { ...counted, microseconds: 1000 * threadTime(run) };
  } catch (error) {
    if (error instanceof SimulationError) return undefined;
    throw error;
  }
}

const FAMILIES = [ansatz, cliffordCircuit, fourierTransform, ghz, grover, randomCircuit, turnedGhz];

/** Compiles circuits of growing width, since few real programs are large enough to be timed. */
const generatedCircuits = (): Circuit[] =>
  [6, 8, 10, 12, 14].flatMap(width =>
    FAMILIES.map(family => {
      const data = openQasm(family(width));
      return compile({ format: data.startsWith("OPENQASM 2") ? "qasm2" : "qasm3", data });
    }),
  );

/** Returns the non-negative costs with the least sum of squared relative errors. */
function fitted(samples: readonly Sample[]): MeteredCost {
  let [aa, ab, bb, a, b] = [0, 0, 0, 0, 0];
  for (const { operations, numbers, microseconds } of samples) {
    const [x, y] = [operations / microseconds, numbers / microseconds];
    aa += x * x;
    ab += x * y;
    bb += y * y;
    a += x;
    b += y;
  }
  const determinant = aa * bb - ab * ab;
  const operation = (a * bb - b * ab) / determinant;
  const number = (b * aa - a * ab) / determinant;
  if (operation < 0) return { operation: 0, number: b / bb };
  return number < 0 ? { operation: a / aa, number: 0 } : { operation, number };
}

/** Returns the median factor between the times and those of a model. */
function errorOf(samples: readonly Sample[], { operation, number }: MeteredCost): number {
  const factors = samples.map(one => {
    const ratio = (one.operations * operation + one.numbers * number) / one.microseconds;
    return Math.max(ratio, 1 / ratio);
  });
  return factors.sort((x, y) => x - y)[factors.length >> 1]!;
}

/** Fits the metered costs of `methods/index.ts` to programs, and prints the old ones and the new. */
export async function benchFit(): Promise<void> {
  const circuits = [...realPrograms().map(({ circuit }) => circuit), ...generatedCircuits()];
  const rows = [
    [
      "method",
      "programs",
      "µs an operation: old",
      "new",
      "µs a number: old",
      "new",
      "median error: old",
      "new",
    ],
  ];
  for (const [name, { metered: old }] of Object.entries(METHODS)) {
    if (!old) continue;
    const samples = circuits.flatMap(circuit => {
      const sample = sampleOf(circuit, name as Method["name"]);
      return sample && sample.microseconds >= FEWEST_MICROSECONDS ? [sample] : [];
    });
    const found = fitted(samples);
    const shown = (value: number) => value.toPrecision(2);
    rows.push([
      name,
      String(samples.length),
      ...[old.operation, found.operation, old.number, found.number].map(shown),
      ...[old, found].map(cost => `× ${errorOf(samples, cost).toFixed(2)}`),
    ]);
    if (process.env.KETBOOK_BENCH_FULL)
      for (const s of samples)
        process.stdout.write(
          `${name} ${s.operations} ${s.numbers.toFixed(0)} ${s.microseconds.toFixed(0)}\n`,
        );
  }
  report(`Costs of src/simulation/methods/index.ts, fitted to ${circuits.length} programs`, rows);
}
