import { readFileSync } from "node:fs";
import { type Assessment, assess, type SumMean, type Tally } from "../../../src/notebook/estimate/assess.ts";
import { total } from "../../../src/notebook/estimate/extrapolate.ts";
import { lossesOf } from "../../../src/notebook/estimate/prepare.ts";
import { type Effort, type WrittenDesign, writeDesign } from "../../../src/notebook/estimate/programs.ts";
import { type Batch, type Goal, MAX_ROUNDS, nextBatch } from "../../../src/notebook/estimate/rounds.ts";
import { readTerms } from "../../../src/notebook/estimate/terms.ts";
import { flipped } from "../../../src/notebook/estimate/work.ts";
import {
  compile,
  type DeviceNoise,
  deviceFigures,
  type PauliFactor,
  placesOf,
  type SourceProgram,
  simulate,
  simulateDevice,
  targetOf,
} from "../../../src/simulation/index.ts";

const CATALOGUE = new URL("../../../src/service/catalogue/", import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, CATALOGUE), "utf8"));

/** Reads an emulated QPU, such as `perth`, as it was calibrated. */
function deviceOf(name: string) {
  const { devices } = read("emulated.json");
  const { qrn, ramseyShare } = devices.find(({ qrn }: { qrn: string }) => qrn.endsWith(`:${name}`));
  const calibration = read(`calibrations/${name}.json`);
  return {
    calibration,
    target: targetOf(read("topologies.json")[qrn], calibration),
    figures: deviceFigures(calibration, ramseyShare),
  };
}

const head = 'OPENQASM 3.0; include "stdgates.inc";\n';
const layer = (dt: number) =>
  [
    [0, 1],
    [2, 3],
    [1, 2],
    [3, 4],
  ]
    .map(([a, b]) => `cx q[${a}], q[${b}]; rz(${-2 * dt}) q[${b}]; cx q[${a}], q[${b}];`)
    .concat([0, 1, 2, 3, 4].map(q => `rx(${-2 * dt}) q[${q}];`))
    .join(" ");
const tfim = (steps: number) => `${head}qubit[5] q;\n${new Array(steps).fill(layer(0.1)).join("\n")}`;
const ising = `${[0, 1, 2, 3].map(q => `-Z${q} Z${q + 1}`).join(" ")}${[0, 1, 2, 3, 4].map(q => ` - X${q}`).join("")}`;

/** Programs and observables that are judged. */
export const CASES: { readonly [name: string]: readonly [program: string, observable: string] } = {
  H2: [
    `${head}qubit[2] q; x q[0]; ry(-0.2235) q[1]; cx q[1], q[0];`,
    "-1.0524 + 0.3979*Z0 - 0.3979*Z1 - 0.0113*Z0 Z1 + 0.1809*X0 X1",
  ],
  "H2, Jordan–Wigner": [
    `${head}qubit[4] q; x q[0]; x q[1]; rx(pi/2) q[0]; h q[1]; h q[2]; h q[3]; cx q[0], q[1]; cx q[1], q[2]; cx q[2], q[3]; rz(-0.2235) q[3]; cx q[2], q[3]; cx q[1], q[2]; cx q[0], q[1]; rx(-pi/2) q[0]; h q[1]; h q[2]; h q[3];`,
    "-0.0988 + 0.1712*Z0 + 0.1712*Z1 - 0.2228*Z2 - 0.2228*Z3 + 0.1686*Z0 Z1 + 0.1205*Z0 Z2 + 0.1659*Z0 Z3 + 0.1659*Z1 Z2 + 0.1205*Z1 Z3 + 0.1743*Z2 Z3 - 0.0453*X0 X1 Y2 Y3 + 0.0453*X0 Y1 Y2 X3 + 0.0453*Y0 X1 X2 Y3 - 0.0453*Y0 Y1 X2 X3",
  ],
  "GHZ-5": [
    `${head}qubit[5] q; h q[0]; cx q[0], q[1]; cx q[1], q[2]; cx q[2], q[3]; cx q[3], q[4];`,
    "0.2*X0 X1 X2 X3 X4 + 0.2*Z0 Z1 + 0.2*Z1 Z2 + 0.2*Z2 Z3 + 0.2*Z3 Z4",
  ],
  "TFIM-5, 4 steps": [tfim(4), ising],
  "TFIM-5, 8 steps": [tfim(8), ising],
  "TFIM-5, 16 steps": [tfim(16), ising],
  "TFIM-5, 32 steps": [tfim(32), ising],
};

/** Random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The mean of an observable in the final state, computed by the simulator. */
export function exactMean(program: string, observable: string): number {
  const circuit = compile({ format: "qasm3", data: program });
  const { strings, sums } = readTerms([observable], circuit.numQubits);
  const [{ weights, constant }] = sums as [(typeof sums)[0]];
  const sum = Array.from(weights, ([term, coefficient]) => {
    const { x, z } = strings[term]!;
    const string = placesOf(x | z).map((qubit): PauliFactor => {
      const [hasX, hasZ] = [(x >> BigInt(qubit)) & 1n, (z >> BigInt(qubit)) & 1n];
      return { qubit, pauli: hasX ? (hasZ ? "Y" : "X") : "Z" };
    });
    return { coefficient, string };
  });
  const { expectations } = simulate(circuit, { shots: 0, observables: [sum] });
  return expectations![0]!.value + constant;
}

const MOST = { readout: true, factors: 3, copies: 4 } as const;

/** Outcomes of an emulated QPU, whose exact distributions are computed once, so that many repetitions cost little. */
export class EmulatedDevice {
  readonly design: WrittenDesign;
  readonly #outcomes: readonly { keys: string[]; ends: number[] }[];

  constructor(
    program: string,
    observable: string,
    effort: Effort = MOST,
    seed = 7,
    { device = "perth", noise = {} }: { device?: string; noise?: DeviceNoise } = {},
  ) {
    const { calibration, target, figures } = deviceOf(device);
    const design = writeDesign([{ format: "qasm3", data: program }], [observable], target, effort, seed);
    const { gates, relaxation } = lossesOf(design, calibration)!;
    this.design = { ...design, rate: gates + relaxation };
    const { copies, flips } = this.design;
    this.#outcomes = this.design.texts.map((text, i) => {
      const { measurementProbabilities } = simulateDevice(compile(text as SourceProgram), figures, {
        shots: 0,
        noise,
      });
      let end = 0;
      const outcomes = Object.keys(measurementProbabilities!);
      const ends = outcomes.map(outcome => (end += measurementProbabilities![outcome]!));
      return { keys: outcomes.map(outcome => flipped(outcome, flips && (i % copies) % 2 === 1)), ends };
    });
  }

  run({ repeats, shots }: Batch, tallies: readonly Map<string, number>[], random: () => number): void {
    const { copies } = this.design;
    repeats.forEach((count, program) => {
      for (let copy = 0; copy < copies; copy++) {
        const { keys, ends } = this.#outcomes[program * copies + copy]!;
        for (let shot = 0; shot < count * shots; shot++) {
          const at = random() * ends.at(-1)!;
          let [from, to] = [0, ends.length - 1];
          while (from < to) {
            const middle = (from + to) >> 1;
            if (ends[middle]! > at) to = middle;
            else from = middle + 1;
          }
          tallies[program]!.set(keys[from]!, (tallies[program]!.get(keys[from]!) ?? 0) + 1);
        }
      }
    });
  }

  /** Outcomes of each program as often as many shots have them, without their chance. */
  expected(shots = 1e8): Tally[] {
    const { copies, texts } = this.design;
    return Array.from({ length: texts.length / copies }, (_, program) => {
      const tally = new Map<string, number>();
      for (const { keys, ends } of this.#outcomes.slice(program * copies, (program + 1) * copies))
        keys.forEach((key, i) => {
          const share = (ends[i]! - (ends[i - 1] ?? 0)) / ends.at(-1)!;
          tally.set(key, (tally.get(key) ?? 0) + (share * shots) / copies);
        });
      return tally;
    });
  }

  /** Estimates as the service's rounds do. */
  estimate(goal: Goal, seed: number, maxRounds = MAX_ROUNDS): Repetition {
    const random = randomNumbers(seed);
    const { copies, texts } = this.design;
    const tallies = Array.from({ length: texts.length / copies }, () => new Map<string, number>());
    const limits = { minShots: 1, maxShots: 100_000, maxPrograms: 400, copies };
    let [round, shots] = [0, 0];
    let assessment: Assessment | undefined;
    for (; round < maxRounds; round++) {
      const batch = nextBatch(this.design, assessment, goal, limits, round);
      if (!batch) break;
      shots += batch.shots * total(batch.repeats) * copies;
      this.run(batch, tallies, random);
      assessment = assess(this.design, tallies);
    }
    if (!assessment) throw new Error("No round was planned.");
    const [sum] = assessment.sums as [Assessment["sums"][0]];
    return { ...sum, assessment, rounds: round, shots };
  }
}

/** An estimate on an emulated device. */
export interface Repetition extends SumMean {
  readonly assessment: Assessment;
  readonly rounds: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rootMeanSquare = (values: readonly number[]) => Math.sqrt(mean(values.map(value => value * value)));

/** Statistics of repetitions about the true value. */
export function judge(repetitions: readonly Repetition[], truth: number) {
  const centre = mean(repetitions.map(({ value }) => value));
  const weightOf = ({ assessment }: Repetition) =>
    mean(assessment.terms.map(({ kind }) => Number(kind === "bounded")));
  return {
    raw: rootMeanSquare(repetitions.map(({ raw }) => raw - truth)),
    error: rootMeanSquare(repetitions.map(({ value }) => value - truth)),
    bias: centre - truth,
    coverage: mean(repetitions.map(({ low, high }) => Number(low <= truth && truth <= high))),
    reported: rootMeanSquare(repetitions.map(({ standardError }) => standardError)),
    empirical: rootMeanSquare(repetitions.map(({ value }) => value - centre)),
    half: mean(repetitions.map(({ low, high }) => (high - low) / 2)),
    bounded: mean(repetitions.map(weightOf)),
    shots: mean(repetitions.map(({ shots }) => shots)),
    rounds: Math.max(...repetitions.map(({ rounds }) => rounds)),
  };
}
