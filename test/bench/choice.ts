import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import {
  type Circuit,
  compile,
  methodsFor,
  type SimulateOptions,
  simulate,
} from "../../src/simulation/index.ts";
import { report, threadTime } from "./measure.ts";

const METHODS = methodsFor("ideal");
const SHOTS = 1000;
/** Milliseconds after which a run is stopped. */
const LIMIT_MS = Number(process.env.KETBOOK_BENCH_LIMIT ?? 4000);
/** How much longer than the best method automatic may take. */
const MAX_RATIO = 2;
const MAX_EXTRA_MS = 5;
const MAX_TEXT = 400_000;

/** A program to measure. */
export interface BenchProgram {
  readonly name: string;
  readonly circuit: Circuit;
}

/** Returns the programs of the corpus and of the notebooks, and those in the folder KETBOOK_BENCH_PROGRAMS. */
export function realPrograms(): BenchProgram[] {
  const texts: { name: string; data: string }[] = [];
  const addFolder = (folder: string) => {
    for (const name of readdirSync(folder))
      if (name.endsWith(".qasm")) texts.push({ name, data: readFileSync(`${folder}/${name}`, "utf8") });
  };
  addFolder(new URL("../corpus/valid", import.meta.url).pathname);
  const notebooks = new URL("../../notebooks", import.meta.url).pathname;
  for (const file of readdirSync(notebooks, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ipynb") || file.includes("out/")) continue;
    const { cells } = JSON.parse(readFileSync(`${notebooks}/${file}`, "utf8"));
    const source = cells
      .map((cell: { source: string | string[] }) => [cell.source].flat().join(""))
      .join("\n");
    [...source.matchAll(/qasm`([^`$]+)`/g)].forEach(([, data], i) => {
      texts.push({ name: `${file} ${i + 1}`, data: data! });
    });
  }
  if (process.env.KETBOOK_BENCH_PROGRAMS) addFolder(process.env.KETBOOK_BENCH_PROGRAMS);
  return texts.flatMap(({ name, data }) => {
    if (data.length > MAX_TEXT) return [];
    try {
      const circuit = compile({
        format: /^\s*(\/\/.*\s*)*OPENQASM\s+2/.test(data) ? "qasm2" : "qasm3",
        data,
      });
      return circuit.registers.classical.length > 0 ? [{ name, circuit }] : [];
    } catch {
      return [];
    }
  });
}

/** Returns the milliseconds of a run, the least of a few, and the method; undefined if it fails. */
export function timeOf(
  circuit: Circuit,
  options: Partial<SimulateOptions>,
): { readonly ms: number; readonly method: string } | undefined {
  let method = "";
  const run = () => {
    const given = { shots: SHOTS, seed: 1, threads: 1, maxMilliseconds: LIMIT_MS, ...options };
    method = simulate(circuit, given).method.name;
  };
  try {
    run();
    const ms = threadTime(run);
    return { ms, method };
  } catch {
    return undefined;
  }
}

/** Compares automatic with each named method on real programs. */
export async function benchChoice(): Promise<void> {
  const rows = [["program", "qubits", "automatic", "takes", "best", "takes", "ratio"]];
  const ratios: number[] = [];
  let numSlow = 0;
  for (const { name, circuit } of realPrograms()) {
    const own = timeOf(circuit, {});
    const named = METHODS.flatMap(method => {
      const time = timeOf(circuit, { method });
      return time ? [time] : [];
    }).sort((a, b) => a.ms - b.ms);
    const [best] = named;
    if (!best) continue;
    const ratio = (own?.ms ?? Number.POSITIVE_INFINITY) / best.ms;
    const isSlow = !own || own.ms > MAX_RATIO * best.ms + MAX_EXTRA_MS;
    numSlow += Number(isSlow);
    if (own) ratios.push(ratio);
    if (isSlow || own.ms > 10)
      rows.push([
        `${isSlow ? "! " : ""}${name}`,
        String(circuit.numQubits),
        own?.method ?? "none",
        own ? own.ms.toFixed(1) : "stopped",
        best.method,
        best.ms.toFixed(1),
        ratio.toFixed(2),
      ]);
  }
  const mean = Math.exp(ratios.reduce((sum, one) => sum + Math.log(one), 0) / ratios.length);
  report(
    `Automatic and the best named method, ms, ${SHOTS} shots, mean of a few runs in processor time (load of the machine ${loadavg()[0]!.toFixed(1)}); programs that take more than 10 ms, and with ! those above ${MAX_RATIO} times the best + ${MAX_EXTRA_MS} ms: ${numSlow} of ${ratios.length}, geometric mean ${mean.toFixed(2)}`,
    rows,
  );
}
