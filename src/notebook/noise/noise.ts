import { warn } from "#host";
import { KetbookError } from "../../client/index.ts";
import { anyValue, describeValue, flag, LIMITS, list, must, stringValue } from "../../contract/index.ts";
import { pairErrors, qubitFigures } from "../../display/index.ts";
import {
  deviceFigures,
  type NoiseProblem,
  type NoiseRule,
  type NoiseRules,
  noiseOfFigures,
  noiseProblems,
  type RuleChannel,
} from "../../simulation/index.ts";
import { Calibration } from "../devices/calibration.ts";
import { FIGURES, namedFigures } from "../programs/device-program.ts";
import { checkHelperOptions } from "../values/options.ts";
import {
  type GateNoiseOptions,
  type NoiseChannel,
  NoiseModel,
  type NoiseModelOptions,
  type ReadoutNoise,
} from "./noise-model.ts";

const anObject = must("an object", value => typeof value === "object" && value !== null);

const checks = {
  name: stringValue,
  calibration: anObject,
  oneQubit: anyValue,
  twoQubit: anyValue,
  gates: list,
  readout: anyValue,
  readouts: anObject,
  twirled: flag,
};

/**
 * Builds a noise model, for runs on simulators of noise: channels after gates, by gate and qubit, and readout errors.
 * Qubit 0 of the model is qubit 0 of the program. Of what matches a gate, the last counts: the calibration comes first,
 * then `oneQubit` and `twoQubit`, then `gates`.
 *
 * @example
 * ```ts
 * import { noise, qasm, run } from "ketbook";
 * const model = noise({
 *   oneQubit: 0.001,
 *   twoQubit: [{ depolarizing: 0.01 }, { T1: 100, T2: 80, length: 300 }],
 *   gates: [{ gates: "cx", qubits: [[0, 1]], channels: { pauli: { ZZ: 0.03 } } }],
 *   readout: [[0.99, 0.01], [0.03, 0.97]],
 * });
 * run(qasm`include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`)
 *   .on("noisy")
 *   .options({ noiseModel: model });
 * ```
 *
 * @throws KetbookError that names what is wrong, as where a channel is not physical.
 */
export function noise(options: NoiseModelOptions): NoiseModel {
  checkHelperOptions("noise", options ?? null, checks);
  const { name, calibration, oneQubit, twoQubit, gates = [], readout, readouts = {}, twirled } = options;
  const base = calibration ? rulesOfCalibration(calibration) : { rules: [], readout: [] };
  const rules: NoiseRules = {
    ...(name === undefined ? {} : { name }),
    rules: [
      ...base.rules,
      ...Object.entries({ oneQubit, twoQubit }).flatMap(([name, given]): NoiseRule[] =>
        given === undefined
          ? []
          : [
              {
                numQubits: name === "oneQubit" ? 1 : 2,
                channels: readChannels(given, name, { numQubits: name === "oneQubit" ? 1 : 2 }),
              },
            ],
      ),
      ...gates.map(readGate),
    ],
    readout: [
      ...base.readout,
      ...(readout === undefined ? [] : [readReadout(readout, "readout")]),
      ...Object.entries(readouts).map(([qubit, error]) => ({
        qubits: [Number(qubit)],
        ...readReadout(error, `readouts[${qubit}]`),
      })),
    ],
    ...(twirled ? { isTwirled: true } : {}),
  };
  const [problem] = noiseProblems(rules);
  if (problem) throw new KetbookError(`noise: ${problem.path} ${problem.message}.`);
  const length = JSON.stringify(rules).length;
  if (length > LIMITS.maxNoiseModelLength)
    throw new KetbookError(
      `noise: the model has ${length} characters of JSON; a job takes at most ${LIMITS.maxNoiseModelLength}.`,
    );
  return new NoiseModel(rules);
}

function rulesOfCalibration(given: NonNullable<NoiseModelOptions["calibration"]>): NoiseRules {
  const calibration = (given instanceof Calibration ? given : Calibration.from(given)).toJSON();
  const figures = qubitFigures(calibration);
  const none = figures.size < 2 || pairErrors(calibration).errors.size > 0 ? [] : ["two-qubit gate errors"];
  const some: string[] = [];
  for (const [kind, isKnownOf] of Object.entries(FIGURES)) {
    const unknown = [...figures].flatMap(([qubit, each]) => (isKnownOf(each) ? [] : qubit));
    if (unknown.length === figures.size) none.push(kind);
    else if (unknown.length > 0) some.push(namedFigures(kind, unknown));
  }
  if (none.length > 0)
    warn(
      `noise: the calibration has no ${none.join(", no ")}, so the model has none of them. Give them as oneQubit, twoQubit or readout.`,
    );
  if (some.length > 0)
    warn(
      `noise: not calibrated are ${some.join("; ")}. The model has the medians of the other qubits in their place.`,
    );
  return noiseOfFigures(deviceFigures(calibration));
}

function readGate(given: GateNoiseOptions, index: number): NoiseRule {
  const at = `gates[${index}]`;
  checkHelperOptions(`noise: ${at}`, given, {
    gates: must(
      "a gate's name, or a list of them",
      value => typeof value === "string" || Array.isArray(value),
    ),
    qubits: list,
    channels: anyValue,
  });
  const { gates, qubits, channels } = given;
  const names = typeof gates === "string" ? [gates] : gates;
  const [problem] = names ? noiseProblems({ rules: [{ gates: names, channels: [] }], readout: [] }) : [];
  if (problem) throw new KetbookError(`noise: ${at}.gates ${problem.message}.`);
  if (channels === undefined)
    throw new KetbookError(`noise: ${at} needs channels, such as { gates: "cx", channels: 0.01 }.`);
  return {
    ...(names ? { gates: names } : {}),
    ...(qubits === undefined ? {} : { qubits: qubits.map(one => (typeof one === "number" ? [one] : one)) }),
    channels: readChannels(channels, `${at}.channels`, { gates: names }),
  };
}

const NANOSECONDS = 1000;

/** Each kind of channel: its name in a model, and the member of the model that holds the given value. */
const KINDS: Readonly<Record<string, readonly [channel: string, member: string]>> = {
  depolarizing: ["depolarizing", "probability"],
  bitFlip: ["bit_flip", "probability"],
  phaseFlip: ["phase_flip", "probability"],
  bitPhaseFlip: ["bit_phase_flip", "probability"],
  amplitudeDamping: ["amplitude_damping", "gamma"],
  phaseDamping: ["phase_damping", "lambda"],
  T1: ["thermal_relaxation", "T1"],
  pauli: ["pauli", "probabilities"],
  kraus: ["kraus", "operators"],
};
const membersOf = (kind: string) => (kind === "T1" ? ["T1", "T2", "length"] : [kind]);
const memberNames: Readonly<Record<string, string>> = {
  time: "length",
  operators: "kraus",
  probabilities: "pauli",
};

function channelOf(kind: string, form: { readonly [member: string]: unknown }): RuleChannel {
  const [channel, member] = KINDS[kind]!;
  if (kind !== "T1") return { channel, [member]: form[kind] } as unknown as RuleChannel;
  const { T1, T2, length } = form as { T1: number; T2: number; length?: number };
  const times = { T1: NANOSECONDS * T1, T2: NANOSECONDS * T2 };
  return { channel: "thermal_relaxation", ...times, ...(length !== undefined && { time: length }) };
}

function readChannels(
  given: NoiseChannel | readonly NoiseChannel[],
  at: string,
  rule: Omit<NoiseRule, "channels">,
): RuleChannel[] {
  if (!Array.isArray(given)) return [readChannel(given as NoiseChannel, at, rule)];
  return given.map((one, i) => readChannel(one, `${at}[${i}]`, rule));
}

function readChannel(given: NoiseChannel, at: string, rule: Omit<NoiseRule, "channels">): RuleChannel {
  const form = typeof given === "number" ? { depolarizing: given } : given;
  const names = typeof form === "object" && form !== null ? Object.keys(form) : [];
  const kind = Object.keys(KINDS).find(name => names.includes(name));
  const wanted = kind && membersOf(kind);
  const isNeeded = (name: string) => name !== "length" && !names.includes(name);
  if (!wanted || wanted.some(isNeeded) || !names.every(name => wanted.includes(name)))
    throw new KetbookError(
      `noise: ${at} must be a probability, or a channel such as { depolarizing: 0.01 }, ${Object.keys(KINDS)
        .slice(1)
        .map(name => `{ ${membersOf(name).join(", ")} }`)
        .join(", ")}, not ${names.length > 0 ? `{ ${names.join(", ")} }` : describeValue(given)}.`,
    );
  const channel = channelOf(kind!, form);
  const [problem] = noiseProblems({ rules: [{ ...rule, channels: [channel] }], readout: [] });
  if (problem) throw problemError(at, problem);
  return channel;
}

function problemError(at: string, { path, message }: NoiseProblem): KetbookError {
  const [member = "", ...rest] = path.replace(/^rules\.0\.channels\.0\.?|^readout\.0\.?/, "").split(".");
  const own = ["probability", "gamma", "lambda"].includes(member) ? "" : (memberNames[member] ?? member);
  const place = [at, own, ...rest].filter(part => part !== "").join(".");
  return new KetbookError(`noise: ${place} ${message}.`);
}

function readReadout(given: ReadoutNoise, at: string): { zeroGivenOne: number; oneGivenZero: number } {
  const errors =
    typeof given === "number"
      ? { zeroGivenOne: given, oneGivenZero: given }
      : Array.isArray(given)
        ? ofMatrix(given, at)
        : given;
  const [problem] = noiseProblems({ rules: [], readout: [errors] });
  if (problem) throw problemError(at, typeof given === "number" ? { ...problem, path: "" } : problem);
  const { zeroGivenOne, oneGivenZero } = errors as { zeroGivenOne: number; oneGivenZero: number };
  return { zeroGivenOne, oneGivenZero };
}

function ofMatrix(rows: readonly unknown[], at: string): { zeroGivenOne: unknown; oneGivenZero: unknown } {
  const isRow = (row: unknown) =>
    Array.isArray(row) && row.length === 2 && Math.abs(Number(row[0]) + Number(row[1]) - 1) < 1e-6;
  if (rows.length !== 2 || !rows.every(isRow))
    throw new KetbookError(
      `noise: ${at} must be a matrix of two rows such as [[0.99, 0.01], [0.02, 0.98]]: the readout probabilities of a qubit in 0, then in 1. Each row must sum to 1.`,
    );
  const [[, oneGivenZero], [zeroGivenOne]] = rows as [number[], number[]];
  return { zeroGivenOne, oneGivenZero };
}
