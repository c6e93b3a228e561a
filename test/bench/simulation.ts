import { loadavg } from "node:os";
import {
  type Circuit,
  compile,
  type SimulateOptions,
  type SimulationResult,
  simulate,
} from "../../src/simulation/index.ts";
import { openQasm } from "./circuit-texts.ts";
import {
  ansatz,
  type BenchCircuit,
  cliffordCircuit,
  fourierOfZeros,
  fourierTransform,
  ghz,
  grover,
  randomCircuit,
  turnedGhz,
} from "./circuits.ts";
import { percentile, report, threadTime } from "./measure.ts";
import { type NativePeer, PEER_VARIABLES, statePeer, stimPeer } from "./native-peers.ts";
import { NPM_PEERS } from "./npm-peers.ts";

const ROUNDS = 5;
/** Rounds of what takes milliseconds. */
const SHORT_ROUNDS = 40;
/** Runs before these, so that the engine has compiled what is measured. */
const WARM_UP_RUNS = 100;
const LIMITS = { maxQubits: 28, maxBytes: 2 ** 32, seed: 1, method: "statevector" } as const;
const isFull = Boolean(process.env.KETBOOK_BENCH_FULL);
const WIDTHS = isFull ? [16, 20, 22, 24, 26] : [16, 20, 22, 24];
const FAMILIES: Record<string, (numQubits: number) => BenchCircuit> = {
  "random circuit": randomCircuit,
  "QFT of a dense state": fourierTransform,
  "GHZ, turned": turnedGhz,
  "Grover, 10 steps": grover,
  ansatz,
};
/** States of which few amplitudes are ever kept here, so that they are no comparison of kernels. */
const SPARED: typeof FAMILIES = { "QFT of zeros": fourierOfZeros, GHZ: ghz };
/** The fewest qubits that count in the mean. */
const FEWEST_COUNTED = 20;

/** A figure in the unit that suits it. */
const shown = (ms: number): string =>
  ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

const load = (): string => `load of the machine ${loadavg()[0]!.toFixed(1)}`;
const median = (values: readonly number[]): number => percentile(values, 0.5);

function timed(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Runs contenders interleaved, A B A B …, each giving its own milliseconds, and gives the least of each, on which other work tells least. */
function minima(rounds: number, contenders: readonly (() => number)[]): number[] {
  const times = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    contenders.forEach((run, i) => {
      times[i]!.push(run());
    });
  return times.map(each => Math.min(...each));
}

/** Compiles a program. */
export const compiled = (data: string): Circuit =>
  compile({ format: data.startsWith("OPENQASM 2") ? "qasm2" : "qasm3", data });

/** From the text to the counts: parsing, planning, the state and the shots. */
const whole = (circuit: BenchCircuit, options: SimulateOptions): (() => number) => {
  const data = openQasm(circuit);
  return () => timed(() => simulate(compiled(data), options));
};

/** How long programs take from text to counts, here and with peers that are found. */
export async function benchSimulation(): Promise<void> {
  process.stdout.write(
    `\nState vectors are simulated from text to the counts of one shot, those of fewer than ${FEWEST_COUNTED} qubits after ${WARM_UP_RUNS} runs, twice in a row: the first comes after a run of the peer, whose process takes the caches. KETBOOK_BENCH_FULL=1 adds 26 qubits.\nPeers are found through\n${Object.entries(
      PEER_VARIABLES,
    )
      .map(([name, what]) => `  ${name}: ${what}\n`)
      .join("")}`,
  );
  whole(randomCircuit(16), { shots: 10, ...LIMITS })();
  const qsim = statePeer("qsim", "KETBOOK_BENCH_QSIM");
  const qulacs = statePeer("Qulacs", "KETBOOK_BENCH_QULACS");
  for (const threads of [1, 2]) {
    states(qsim, { precision: "single", threads });
    states(qulacs, { precision: "double", threads });
  }
  shots();
  clifford();
  await npmPeers();
}

/** Tells how all families fare at all widths, and how they do beside a peer. */
function states(peer: NativePeer | undefined, options: Pick<SimulateOptions, "precision" | "threads">): void {
  const rows = [["qubits", ...WIDTHS.map(String)]];
  const ratios: number[] = [];
  for (const [family, make] of Object.entries({ ...FAMILIES, ...SPARED })) {
    if (peer) checkSameWork(peer, make(10));
    const cells = WIDTHS.map(numQubits => {
      const circuit = make(numQubits);
      const ours = whole(circuit, { shots: 1, ...LIMITS, ...options });
      const theirs = peer ? [() => peer.run(circuit, options.threads!)] : [];
      const isShort = numQubits < FEWEST_COUNTED;
      if (isShort) for (let run = 0; run < WARM_UP_RUNS; run++) ours();
      const rounds = numQubits > 24 ? 1 : isShort ? SHORT_ROUNDS : ROUNDS;
      const [first, again, other] = minima(rounds, [
        ours,
        ...(isShort ? [ours] : [() => Infinity]),
        ...theirs,
      ]);
      const own = Math.min(first!, again!);
      if (other === undefined) return shown(own);
      if (family in FAMILIES && numQubits >= FEWEST_COUNTED) ratios.push(own / other);
      const afterwards = isShort ? `, after it ${shown(first!)}` : "";
      return `${shown(own)} (${shown(other)}, × ${(own / other).toFixed(2)}${afterwards})`;
    });
    rows.push([family, ...cells]);
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const beside = peer
    ? `; in brackets, ${peer.name} and our part of its time; from ${FEWEST_COUNTED} qubits up, without ${Object.keys(SPARED).join(" and ")}: geometric mean × ${mean.toFixed(2)}, worst × ${Math.max(...ratios).toFixed(2)}`
    : "";
  report(
    `State vector, ${options.precision} precision, threads: ${options.threads} (${load()})${beside}`,
    rows,
  );
}

/** Throws an Error where a peer finds other probabilities in a circuit. */
function checkSameWork(peer: NativePeer, circuit: BenchCircuit): void {
  const { statevector } = simulate(compiled(openQasm(circuit)), { shots: 0, statevector: true });
  const theirs = peer.probabilities(circuit);
  for (let i = 0; i < 8; i++) {
    const ours = statevector![2 * i]! ** 2 + statevector![2 * i + 1]! ** 2;
    if (!(Math.abs(theirs[i]! - ours) < 1e-5))
      throw new Error(`${peer.name} gives basis state ${i} the probability ${theirs[i]}, not ${ours}.`);
  }
}

/** A million shots, the state included: what they take without it as counted numbers, and their keys besides. */
function shots(): void {
  const rows = [["qubits", "1,000 shots", "1,000,000 shots", "of it, the shots", "keys"]];
  for (const numQubits of [20, 24]) {
    const circuit = compiled(openQasm(ansatz(numQubits, 2)));
    const run = (count: number) => simulate(circuit, { shots: count, ...LIMITS });
    let counted: SimulationResult | undefined;
    const [few, many, keys] = minima(ROUNDS, [
      () => timed(() => run(1e3).codedCounts),
      () =>
        timed(() => {
          counted = run(1e6);
          return counted.codedCounts;
        }),
      () => timed(() => counted!.measurementCounts),
    ]);
    rows.push([String(numQubits), shown(few!), shown(many!), shown(many! - few!), shown(keys!)]);
  }
  report("Shots of a state with as many outcomes", rows);
}

function clifford(): void {
  const stim = stimPeer();
  const rows = [["qubits", "1,000 shots", ...(stim ? ["Stim", "ratio"] : [])]];
  for (const numQubits of [100, 500, 1000]) {
    const circuit = cliffordCircuit(numQubits);
    const data = openQasm(circuit);
    const [own, other] = minima(5, [
      () => threadTime(() => simulate(compiled(data), { shots: 1000, seed: 1 })),
      ...(stim ? [() => stim(circuit, 1000)] : []),
    ]);
    rows.push([
      String(numQubits),
      shown(own!),
      ...(other === undefined ? [] : [shown(other), `× ${(own! / other).toFixed(1)}`]),
    ]);
  }
  report(`Clifford circuits of 10 layers, processor time (${load()})`, rows);
}

/** Compares with packages of npm, where they are installed, on sizes that they can do. */
async function npmPeers(): Promise<void> {
  const circuit = randomCircuit(12);
  const [ours] = minima(31, [whole(circuit, { shots: 1, seed: 1, method: "statevector" })]);
  const rows = [["Ketbook", shown(ours!), "× 1"]];
  for (const [name, load] of Object.entries(NPM_PEERS)) {
    const run = await load(openQasm(circuit)).catch(() => null);
    if (!run) continue;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
    rows.push([name, shown(median(times)), `× ${(median(times) / ours!).toFixed(0)}`]);
  }
  report("Random circuit of 12 qubits, one shot, packages of npm", rows);
}
