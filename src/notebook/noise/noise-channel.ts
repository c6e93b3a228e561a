import { KetbookError } from "../../client/errors.ts";
import { describeValue } from "../../contract/options.ts";
import { type NoiseProblem, noiseProblems, type RuleChannel } from "../../simulation/index.ts";
import type { NoiseChannel, ReadoutNoise } from "./noise-options.ts";

const NANOSECONDS = 1000;

const forms: Readonly<Record<string, (given: never) => RuleChannel>> = {
  depolarizing: ({ depolarizing }: { depolarizing: number }) => ({
    channel: "depolarizing",
    probability: depolarizing,
  }),
  bitFlip: ({ bitFlip }: { bitFlip: number }) => ({ channel: "bit_flip", probability: bitFlip }),
  phaseFlip: ({ phaseFlip }: { phaseFlip: number }) => ({ channel: "phase_flip", probability: phaseFlip }),
  bitPhaseFlip: ({ bitPhaseFlip }: { bitPhaseFlip: number }) => ({
    channel: "bit_phase_flip",
    probability: bitPhaseFlip,
  }),
  amplitudeDamping: ({ amplitudeDamping }: { amplitudeDamping: number }) => ({
    channel: "amplitude_damping",
    gamma: amplitudeDamping,
  }),
  phaseDamping: ({ phaseDamping }: { phaseDamping: number }) => ({
    channel: "phase_damping",
    lambda: phaseDamping,
  }),
  T1: ({ T1, T2, length }: { T1: number; T2: number; length?: number }) => ({
    channel: "thermal_relaxation",
    T1: NANOSECONDS * T1,
    T2: NANOSECONDS * T2,
    ...(length === undefined ? {} : { time: length }),
  }),
  pauli: ({ pauli }: { pauli: Record<string, number> }) => ({ channel: "pauli", probabilities: pauli }),
  kraus: ({ kraus }: Extract<NoiseChannel, { kraus: unknown }>) => ({ channel: "kraus", operators: kraus }),
};
/** The members of a channel of several. */
const members: Readonly<Record<string, readonly string[]>> = { T1: ["T1", "T2", "length"] };
/** Names of members in errors. */
const memberNames: Readonly<Record<string, string>> = {
  time: "length",
  operators: "kraus",
  probabilities: "pauli",
};

/** Reads channels that a person wrote for gates by name, or for all. Throws a `KetbookError` that names what is wrong. */
export function readChannels(
  given: NoiseChannel | readonly NoiseChannel[],
  at: string,
  gates?: readonly string[],
): RuleChannel[] {
  const list: readonly NoiseChannel[] = Array.isArray(given) ? given : [given];
  return list.map((one, i) => readChannel(one, Array.isArray(given) ? `${at}[${i}]` : at, gates));
}

function readChannel(given: NoiseChannel, at: string, gates: readonly string[] | undefined): RuleChannel {
  const form = typeof given === "number" ? { depolarizing: given } : given;
  const names = typeof form === "object" && form !== null ? Object.keys(form) : [];
  const kind = Object.keys(forms).find(name => names.includes(name));
  const wanted = kind && (members[kind] ?? [kind]);
  const isNeeded = (name: string) => name !== "length" && !names.includes(name);
  if (!wanted || wanted.some(isNeeded) || !names.every(name => wanted.includes(name)))
    throw new KetbookError(
      `noise: ${at} must be a probability, or a channel such as { depolarizing: 0.01 }, ${Object.keys(forms)
        .slice(1)
        .map(name => `{ ${(members[name] ?? [name]).join(", ")} }`)
        .join(", ")}, not ${names.length > 0 ? `{ ${names.join(", ")} }` : describeValue(given)}.`,
    );
  const channel = forms[kind!]!(form as never);
  const [problem] = noiseProblems({ rules: [{ gates, channels: [channel] }], readout: [] });
  if (problem) throw problemError(at, problem);
  return channel;
}

function problemError(at: string, { path, message }: NoiseProblem): KetbookError {
  const [member = "", ...rest] = path.replace(/^rules\.0\.channels\.0\.?|^readout\.0\.?/, "").split(".");
  const own = ["probability", "gamma", "lambda"].includes(member) ? "" : (memberNames[member] ?? member);
  const place = [at, own, ...rest].filter(part => part !== "").join(".");
  return new KetbookError(`noise: ${place} ${message}.`);
}

/** Reads a readout error that a person wrote. Throws a `KetbookError` that names what is wrong. */
export function readReadout(given: ReadoutNoise, at: string): { zeroGivenOne: number; oneGivenZero: number } {
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
