import { readSnapshot } from "../../src/service/catalogue/calibrations.ts";
import {
  type Circuit,
  compile,
  deviceFigures,
  type NoiseModel,
  type NoisyOptions,
  noiseModelOfRules,
  noiseOfFigures,
  simulateNoisy,
  uniformNoise,
} from "../../src/simulation/index.ts";
import { type Contender, compare } from "./measure.ts";
import { qsharpOf } from "./npm-peers.ts";

const SHOTS = 1000;
const ROUNDS = 7;
const QPUS = ["ibm:emulated:qpu:perth", "ibm:emulated:qpu:brisbane", "ionq:emulated:qpu:forte"];

/** 340 gates, a third of them CX, over all pairs of some qubits. */
function program(numQubits: number, singles: readonly string[]): string {
  const gates = Array.from({ length: 340 }, (_, i) =>
    i % 3 === 0
      ? `cx q[${i % numQubits}],q[${(i + 1 + (i % (numQubits - 1))) % numQubits}];`
      : `${singles[(i % 7) % singles.length]} q[${(2 * i) % numQubits}];`,
  );
  const head = `OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[${numQubits}];\ncreg c[${numQubits}];`;
  return `${head}\n${gates.join("\n")}\nmeasure q -> c;`;
}

const ANY = ["h", "rx(pi/2)", "t"];
const CLIFFORD = ["h", "rx(pi/2)", "s"];

function depolarizing(numQubits: number): NoiseModel {
  return uniformNoise(
    {
      oneQubit: [{ channel: "depolarizing", probability: 0.0005 }],
      twoQubit: [{ channel: "depolarizing", probability: 0.01 }],
      readout: { zeroGivenOne: 0.02, oneGivenZero: 0.01 },
    },
    numQubits,
  );
}

/** From the text to the counts, parsing and choice included. */
function ours(data: string, noise: NoiseModel, method: NoisyOptions["method"] = "automatic"): Contender {
  const compiled = (): Circuit => compile({ format: "qasm2", data });
  const { name } = simulateNoisy(compiled(), noise, { shots: 1, seed: 1, method }).method;
  let seed = 0;
  return {
    name: method === "automatic" ? `Ketbook, by itself (${name})` : `Ketbook, ${name}`,
    run: () => simulateNoisy(compiled(), noise, { shots: SHOTS, seed: seed++, method }),
  };
}

/** How long 1,000 shots under noise take, from text to counts. */
export async function benchNoise(): Promise<void> {
  const five = program(5, ANY);
  const peer = await qsharp(five).catch(() => null);
  await compare(
    `${SHOTS} noisy shots of 340 gates on 5 qubits (aim: 10 ms)`,
    [ours(five, depolarizing(5)), ours(five, depolarizing(5), "trajectories"), ...(peer ? [peer] : [])],
    ROUNDS,
  );
  for (const numQubits of [7, 8, 10]) {
    const data = program(numQubits, ANY);
    const contenders = [ours(data, depolarizing(numQubits), "trajectories")];
    if (numQubits < 10) contenders.push(ours(data, depolarizing(numQubits), "density matrix"));
    await compare(`The same on ${numQubits} qubits`, contenders, ROUNDS);
  }
  await compare(
    "Clifford gates on 5 qubits, and on 100",
    [
      ours(program(5, CLIFFORD), depolarizing(5), "stabilizer"),
      ours(program(100, CLIFFORD), depolarizing(100)),
    ],
    ROUNDS,
  );
  for (const qrn of QPUS) {
    const calibration = (await readSnapshot(qrn))!;
    const noise = noiseModelOfRules(noiseOfFigures(deviceFigures(calibration)), 5);
    await compare(`340 gates on 5 qubits of ${qrn}`, [ours(five, noise)], ROUNDS);
  }
}

async function qsharp(data: string): Promise<Contender> {
  const { compiler, program, events } = await qsharpOf(data);
  const pauliNoise = [0.0005 / 3, 0.0005 / 3, 0.0005 / 3];
  return {
    name: "qsharp-lang",
    run: () => compiler.runWithNoise(program, "", SHOTS, pauliNoise, 0, events()),
  };
}
