import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { type Circuit, compile, type SimulateOptions, simulate } from "../../src/simulation/index.ts";
import {
  ansatz,
  cliffordCircuit,
  fourierOfZeros,
  fourierTransform,
  ghz,
  grover,
  randomCircuit,
  turnedGhz,
} from "./circuits.ts";
import { percentile, report } from "./measure.ts";

const ROUNDS = 3;
const LIMITS = { maxQubits: 28, maxBytes: 2 ** 32, seed: 1, method: "statevector" } as const;
const WIDTHS = [16, 20, 22, 24];
const FAMILIES: Record<string, (numQubits: number) => string> = {
  "random circuit": randomCircuit,
  "QFT of a dense state": fourierTransform,
  "QFT of zeros": fourierOfZeros,
  GHZ: ghz,
  "GHZ, turned": turnedGhz,
  "Grover, 10 steps": grover,
  ansatz,
};

/** A figure of a median, in the unit that suits it. */
const shown = (ms: number): string =>
  ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

function median(run: () => unknown, rounds = ROUNDS): number {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return percentile(times, 0.5);
}

const compiled = (data: string): Circuit =>
  compile({ format: data.startsWith("OPENQASM 2") ? "qasm2" : "qasm3", data });

/** From the text to the counts: parsing, planning, the state and the shots. */
const whole = (data: string, options: SimulateOptions) => () => simulate(compiled(data), options);

/** How long programs take from text to counts of 1,000 shots, here and with peers that are found. */
export async function benchSimulation(): Promise<void> {
  whole(randomCircuit(16), { shots: 10, ...LIMITS })();
  const load = loadavg().map(x => x.toFixed(1));
  const figures = (family: (numQubits: number) => string, options: Partial<SimulateOptions>) =>
    WIDTHS.map(numQubits => shown(median(whole(family(numQubits), { shots: 1000, ...LIMITS, ...options }))));
  for (const [name, options] of Object.entries({
    "single precision, 1 thread": { threads: 1 },
    "single precision, 2 threads": { threads: 2 },
    "double precision, 1 thread": { precision: "double", threads: 1 },
  } as const))
    report(`State vector, ${name} (load of the machine at the start ${load.join(" ")})`, [
      ["qubits", ...WIDTHS.map(String)],
      ...Object.entries(FAMILIES).map(([family, make]) => [family, ...figures(make, options)]),
    ]);
  shots();
  clifford();
  await npmPeers();
  nativePeer();
}

/** A million shots, the state included, and what they take without it. */
function shots(): void {
  const rows = [["qubits", "1,000 shots", "1,000,000 shots", "of it, the shots"]];
  for (const numQubits of [20, 24]) {
    const circuit = compiled(ansatz(numQubits, 2));
    const [few, many] = [1e3, 1e6].map(count => median(() => simulate(circuit, { shots: count, ...LIMITS })));
    rows.push([String(numQubits), shown(few!), shown(many!), shown(many! - few!)]);
  }
  report("Shots of a state with as many outcomes", rows);
}

function clifford(): void {
  const rows = [["qubits", "1,000 shots"]];
  for (const numQubits of [100, 500, 1000])
    rows.push([
      String(numQubits),
      shown(median(whole(cliffordCircuit(numQubits), { shots: 1000, seed: 1 }), 5)),
    ]);
  report("Clifford circuits of 10 layers", rows);
}

/** Compares with packages of npm, where they are installed, on sizes that they can do. */
async function npmPeers(): Promise<void> {
  const data = randomCircuit(12);
  const ours = median(whole(data, { shots: 1, seed: 1, method: "statevector" }), 31);
  const rows = [["Ketbook", shown(ours), "× 1"]];
  for (const [name, load] of Object.entries({ "quantum-circuit": quantumCircuit, "qsharp-lang": qsharp })) {
    const run = await load(data).catch(() => null);
    if (!run) continue;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
    rows.push([name, shown(percentile(times, 0.5)), `× ${(percentile(times, 0.5) / ours).toFixed(0)}`]);
  }
  report("Random circuit of 12 qubits, one shot, packages of npm", rows);
}

type PeerRun = () => Promise<unknown> | unknown;

async function quantumCircuit(data: string): Promise<PeerRun> {
  const name = "quantum-circuit";
  const { default: QuantumCircuit } = (await import(name)) as {
    default: new () => { importQASM(text: string): void; run(): void };
  };
  return () => {
    const circuit = new QuantumCircuit();
    circuit.importQASM(data);
    circuit.run();
  };
}

async function qsharp(data: string): Promise<PeerRun> {
  const name = "qsharp-lang";
  const found = await import(name);
  const wasm = new URL("../lib/web/qsc_wasm_bg.wasm", import.meta.resolve(name));
  await found.loadWasmModule(new Uint8Array(await readFile(wasm)).buffer);
  const compiler = await found.getCompiler();
  const program = {
    sources: [["bench.qasm", data]],
    languageFeatures: [],
    profile: "unrestricted",
    projectType: "openqasm",
  };
  return () => compiler.run(program, "", 1, new found.QscEventTarget(false));
}

/**
 * Compares with a program that `KETBOOK_BENCH_PEER` names: it gets OpenQASM 2 on its standard input, and its run is
 * timed as a whole.
 */
function nativePeer(): void {
  const peer = process.env.KETBOOK_BENCH_PEER;
  if (!peer) return;
  const rows = [["random circuit", "Ketbook", peer]];
  for (const numQubits of WIDTHS) {
    const data = randomCircuit(numQubits);
    rows.push([
      String(numQubits),
      shown(median(whole(data, { shots: 1, ...LIMITS }))),
      shown(median(() => execFileSync(peer, { input: data }))),
    ]);
  }
  report("A peer of its own", rows);
}
