import {
  type NoiseRule,
  type NoiseRules,
  noiseModelOfRules,
  type RuleChannel,
} from "../../../src/simulation/index.ts";

const rulesOf = (rules: readonly NoiseRule[], more: Partial<NoiseRules> = {}): NoiseRules => ({
  rules,
  readout: [],
  ...more,
});
export const model = (rules: readonly NoiseRule[], numQubits: number, more: Partial<NoiseRules> = {}) =>
  noiseModelOfRules(rulesOf(rules, more), numQubits);
export const onAll = (channels: readonly RuleChannel[], numQubits = 1) => model([{ channels }], numQubits);

const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
export const kraus = (...operators: number[][][]): RuleChannel => ({ channel: "kraus", operators });
/** A measurement of a turned qubit, whose outcome turns it further: neither unital nor a mixture of unitary gates. */
export const TURNED = kraus(
  [
    [0.9 * c, -0.9 * s],
    [0.6 * s, 0.6 * c],
  ],
  [
    [0.8 * s, 0.8 * c],
    [Math.sqrt(0.19) * c, -Math.sqrt(0.19) * s],
  ],
);
/** Amplitude damping of both qubits at once: 11 decays to 00. */
export const PAIR_DECAY = kraus(
  [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 0.8],
  ],
  [
    [0, 0, 0, 0.6],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ],
);
export const COHERENT = kraus([
  [c, -s],
  [s, c],
]);
export const PAULI: RuleChannel = { channel: "pauli", probabilities: { X: 0.1, Z: 0.05 } };
export const PAULI_PAIR: RuleChannel = { channel: "pauli", probabilities: { XX: 0.1, ZY: 0.05, IZ: 0.02 } };
export const DAMPING: RuleChannel = { channel: "amplitude_damping", gamma: 0.3 };
