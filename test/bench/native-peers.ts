import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { qsimText, stimText } from "./circuit-texts.ts";
import type { BenchCircuit } from "./circuits.ts";

/** The variables that name programs of yours to compare with. */
export const PEER_VARIABLES = {
  KETBOOK_BENCH_QSIM: "qsim_base of qsim, of which its own times of planning and simulation are counted",
  KETBOOK_BENCH_QULACS:
    "a program around Qulacs with the options -c FILE -t THREADS -f FUSED of qsim_base, that reads its format and prints `simu time is … seconds.` likewise",
  KETBOOK_BENCH_STIM: "stim, of which the time of a run of one qubit is taken off",
} as const;

/** Sizes of fused gates that are tried; the best counts. */
const FUSED = [2, 3, 4];

/** A simulator of state vectors that is run as a program. */
export interface NativePeer {
  readonly name: string;
  /** Returns the milliseconds that the program says a circuit took. */
  run(circuit: BenchCircuit, threads: number): number;
  /** Returns the probabilities of the first eight basis states. */
  probabilities(circuit: BenchCircuit): number[];
}

/** Calls back with the path of a file that holds a text, and then removes it. */
function withFile<T>(text: string, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-bench-"));
  try {
    const path = join(folder, "circuit");
    writeFileSync(path, text);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a program with the options of qsim_base, where a variable names one. */
export function statePeer(name: string, variable: keyof typeof PEER_VARIABLES): NativePeer | undefined {
  const program = process.env[variable];
  if (!program) return undefined;
  const printed = (path: string, threads: number, fused: number) =>
    execFileSync(program, ["-c", path, "-t", `${threads}`, "-f", `${fused}`, "-v", "2", "-z"], {
      encoding: "utf8",
      env: { ...process.env, OMP_NUM_THREADS: `${threads}` },
    });
  const best = new Map<string, number>();
  const timeOf = (path: string, threads: number, fused: number) => {
    const times = [...printed(path, threads, fused).matchAll(/time is (\S+) seconds/g)];
    if (times.length === 0) throw new Error(`${program} printed no time.`);
    return times.reduce((sum, [, seconds]) => sum + 1000 * Number(seconds), 0);
  };
  return {
    name,
    run: (circuit, threads) =>
      withFile(qsimText(circuit), path => {
        const key = `${threads} ${circuit.numQubits} ${circuit.gates.length}`;
        const known = best.get(key);
        if (known) return timeOf(path, threads, known);
        const times = FUSED.map(fused => {
          try {
            return timeOf(path, threads, fused);
          } catch {
            return Number.POSITIVE_INFINITY;
          }
        });
        const least = Math.min(...times);
        best.set(key, FUSED[times.indexOf(least)]!);
        return least;
      }),
    probabilities: circuit =>
      withFile(qsimText(circuit), path =>
        [...printed(path, 1, 2).matchAll(/^[01]{3}:\s*\S+\s+\S+\s+(\S+)$/gm)].map(([, p]) => Number(p)),
      ),
  };
}

/** Returns the milliseconds of processor time that a program takes, as bash tells them. */
function processTime(program: string, options: readonly string[]): number {
  const script = 'TIMEFORMAT="%3U %3S"; { time "$@" > /dev/null; } 2>&1';
  const printed = execFileSync("bash", ["-c", script, "bash", program, ...options], { encoding: "utf8" });
  return printed
    .trim()
    .split(" ")
    .reduce((sum, seconds) => sum + 1000 * Number(seconds), 0);
}

/** Returns a function that measures the processor time of a Clifford circuit in Stim, without the start of its process, where it is named. */
export function stimPeer(): ((circuit: BenchCircuit, shots: number) => number) | undefined {
  const program = process.env.KETBOOK_BENCH_STIM;
  if (!program) return undefined;
  const time = (input: string, shots: number) =>
    withFile(input, path => processTime(program, ["sample", "--shots", `${shots}`, "--in", path]));
  const start = Math.min(...[1, 2, 3, 4, 5].map(() => time("M 0\n", 1)));
  return (circuit, shots) => Math.max(0, time(stimText(circuit), shots) - start);
}
