import { warn } from "#host";
import { KetbookError } from "../../client/errors.ts";
import type { QubitCalibration } from "../../contract/calibration.ts";
import { LIMITS } from "../../contract/limits.ts";
import { anyValue, flag, list, must, stringValue } from "../../contract/options.ts";
import { pairErrors, qubitFigures } from "../../display/calibration.ts";
import {
  deviceFigures,
  type NoiseRule,
  type NoiseRules,
  noiseOfFigures,
  noiseProblems,
} from "../../simulation/index.ts";
import { Calibration } from "../devices/calibration.ts";
import { checkHelperOptions } from "../values/options.ts";
import { readChannels, readReadout } from "./noise-channel.ts";
import { NoiseModel } from "./noise-model.ts";
import type { GateNoiseOptions, NoiseModelOptions } from "./noise-options.ts";

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
  checkHelperOptions("noise", options, checks);
  const { name, calibration, oneQubit, twoQubit, gates = [], readout, readouts = {}, twirled } = options;
  const base = calibration ? rulesOfCalibration(calibration) : { rules: [], readout: [] };
  const rules: NoiseRules = {
    ...(name === undefined ? {} : { name }),
    rules: [
      ...base.rules,
      ...(oneQubit === undefined
        ? []
        : [{ numQubits: 1 as const, channels: readChannels(oneQubit, "oneQubit") }]),
      ...(twoQubit === undefined
        ? []
        : [{ numQubits: 2 as const, channels: readChannels(twoQubit, "twoQubit") }]),
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
  const isKnown: Record<string, (qubit: QubitCalibration) => boolean> = {
    T1: ({ T1 }) => T1 !== null && T1 > 0,
    T2: ({ T2 }) => T2 !== null && T2 > 0,
    "one-qubit gate errors": ({ gateError }) => Object.keys(gateError).length > 0,
    "readout errors": ({ readoutError, prob0Given1, prob1Given0 }) =>
      readoutError !== null || (prob0Given1 !== null && prob1Given0 !== null),
  };
  const none = figures.size < 2 || pairErrors(calibration).errors.size > 0 ? [] : ["two-qubit gate errors"];
  const some: string[] = [];
  for (const [kind, isKnownOf] of Object.entries(isKnown)) {
    const unknown = [...figures].flatMap(([qubit, each]) => (isKnownOf(each) ? [] : qubit));
    if (unknown.length === figures.size) none.push(kind);
    else if (unknown.length > 0)
      some.push(`${kind} of ${unknown.slice(0, 6).join(", ")}${unknown.length > 6 ? ", …" : ""}`);
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
    channels: readChannels(channels, `${at}.channels`, names),
  };
}
