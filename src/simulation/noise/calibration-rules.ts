import type { NoiseRule, NoiseRules, RuleChannel } from "../noise-rules.ts";
import type { DeviceFigures, GateFigure } from "../schedule/device-figures.ts";
import { splitInfidelity } from "./model-noise.ts";

/** Number of significant digits of the figures of noise. */
const DIGITS = 6;
const round = (value: number): number => Number(value.toPrecision(DIGITS));

/**
 * Returns the noise of a device's gates and readouts as rules: after each one-qubit gate that of its qubit's worst, after
 * each two-qubit gate that of its pair's best, as relaxation for the gate's length and a depolarizing channel, which
 * together have the published error. Pairs that are not coupled have the median of the others.
 */
export function noiseOfFigures({ qubits, pairs, uncoupled }: DeviceFigures): NoiseRules {
  const [T1, T2] = [qubits.map(qubit => qubit.T1), qubits.map(qubit => qubit.T2)];
  const channelsOf = (on: readonly number[], { error, length }: GateFigure): RuleChannel[] => {
    const { time, depolarizing } = splitInfidelity({ T1, T2 }, on, error, length);
    const isRelaxing = (qubit: number) => time > 0 && Number.isFinite(T1[qubit]! + T2[qubit]!);
    return [
      ...(depolarizing > 0 ? [{ channel: "depolarizing" as const, probability: round(depolarizing) }] : []),
      ...on.filter(isRelaxing).map(qubit => ({
        channel: "thermal_relaxation" as const,
        T1: round(T1[qubit]!),
        T2: Math.min(round(T2[qubit]!), 2 * round(T1[qubit]!)),
        time: round(time),
        on: qubit,
      })),
    ];
  };
  const seen = new Set<string>();
  const best = pairs.toSorted((one, other) => one.otherwise.error - other.otherwise.error);
  const listed = best.flatMap(({ a, b, otherwise }): NoiseRule[] => {
    const key = [a, b].sort().join();
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ numQubits: 2, qubits: [[a, b]], channels: channelsOf([a, b], otherwise) }];
  });
  return {
    rules: [
      {
        numQubits: 2,
        channels: [{ channel: "depolarizing", probability: round((uncoupled.error * 5) / 4) }],
      },
      ...qubits.map(
        ({ otherwise }, qubit): NoiseRule => ({
          numQubits: 1,
          qubits: [[qubit]],
          channels: channelsOf([qubit], otherwise),
        }),
      ),
      ...listed,
    ],
    readout: qubits.map(({ zeroGivenOne, oneGivenZero }, qubit) => ({
      qubits: [qubit],
      zeroGivenOne,
      oneGivenZero,
    })),
  };
}
