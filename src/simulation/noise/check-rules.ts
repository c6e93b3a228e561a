import { type ComplexEntry, NOISE_LIMITS, type NoiseRule } from "../noise-rules.ts";
import { completenessDefect, operatorOf, widthOf } from "./kraus.ts";
import { isOneQubit, ruleNameProblem } from "./operation-markers.ts";

/** Problem in noise rules, with its place: `rules.0.channels.1.gamma`. */
export interface NoiseProblem {
  readonly path: string;
  readonly message: string;
}

/** By how much the Kraus operators of a channel may miss completeness, as rounded figures do. */
const COMPLETENESS = 1e-6;
const MAX_PROBLEMS = 20;

type Check = (value: unknown, path: string) => void;
type Members = Readonly<Record<string, Check>>;

/**
 * Checks noise rules from outside: their shape and size, and that each channel is completely positive and trace
 * preserving. Returns what is wrong; nothing where they are `NoiseRules`.
 */
export function noiseProblems(value: unknown): NoiseProblem[] {
  const problems: NoiseProblem[] = [];
  const wrong = (path: string, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path, message });
  };
  const must =
    (message: string, is: (value: unknown) => boolean): Check =>
    (given, path) => {
      if (!is(given)) wrong(path, message);
    };
  const object = (given: unknown, path: string, required: Members, optional: Members = {}) => {
    if (!isObject(given)) return wrong(path, "must be an object");
    for (const name of Object.keys(given))
      if (!Object.hasOwn(required, name) && !Object.hasOwn(optional, name) && given[name] !== undefined)
        wrong(
          at(path, name),
          `is none of ${[...Object.keys(required), ...Object.keys(optional)].join(", ")}`,
        );
    for (const [name, check] of Object.entries(required)) check(given[name], at(path, name));
    for (const [name, check] of Object.entries(optional))
      if (given[name] !== undefined) check(given[name], at(path, name));
  };
  const list =
    (each: Check, max: number): Check =>
    (given, path) => {
      if (!Array.isArray(given) || given.length > max) return wrong(path, `must be a list of at most ${max}`);
      given.forEach((one, i) => {
        each(one, at(path, String(i)));
      });
    };
  const probability = must("must be a probability, 0 to 1", value => isWithin(value, 0, 1));
  const time = must("must be a time above 0", value => isWithin(value, Number.MIN_VALUE, Number.MAX_VALUE));
  const flag = must("must be true or false", value => typeof value === "boolean");
  const isQubit = (value: unknown) => Number.isInteger(value) && isWithin(value, 0, NOISE_LIMITS.qubit);
  const qubit = must("must be the number of a qubit", isQubit);
  const name = must(
    `must be a name of at most ${NOISE_LIMITS.nameLength} characters`,
    value => typeof value === "string" && value !== "" && value.length <= NOISE_LIMITS.nameLength,
  );
  const gate: Check = (given, path) => {
    name(given, path);
    const problem = typeof given === "string" ? ruleNameProblem(given) : undefined;
    if (problem) wrong(path, problem);
  };
  const channels: Readonly<Record<string, Members>> = {
    depolarizing: { probability },
    bit_flip: { probability },
    phase_flip: { probability },
    bit_phase_flip: { probability },
    amplitude_damping: { gamma: probability },
    phase_damping: { lambda: probability },
    thermal_relaxation: {
      T1: time,
      T2: time,
      time: must("must be a time, 0 or more", value => isWithin(value ?? 0, 0, Number.MAX_VALUE)),
    },
    pauli: { probabilities: (given, path) => pauli(given, path) },
    kraus: { operators: (given, path) => kraus(given, path) },
  };
  const pauli: Check = (given, path) => {
    if (!isObject(given)) return wrong(path, "must be an object such as { X: 0.01, Z: 0.02 }");
    const names = Object.keys(given);
    const width = names[0]?.length ?? 0;
    if (width < 1 || width > 2 || !names.every(one => /^[IXYZ]+$/.test(one) && one.length === width))
      return wrong(path, "must name Pauli operators on one qubit such as X, or all on two such as XZ");
    for (const one of names) probability(given[one], at(path, one));
    const sum = Object.values(given).reduce((total: number, p) => total + Number(p), 0);
    if (sum > 1 + COMPLETENESS) wrong(path, `must have probabilities whose sum is at most 1, not ${sum}`);
    if (names.every(one => /^I+$/.test(one) === false)) return;
    if (Math.abs(sum - 1) > COMPLETENESS)
      wrong(path, "must have probabilities whose sum is 1 where the identity is among them");
  };
  const kraus: Check = (given, path) => {
    const wanted = `must be 1 to ${NOISE_LIMITS.operators} square matrices of 2 or 4 rows; entries are numbers, or pairs of real and imaginary part`;
    if (!Array.isArray(given) || given.length === 0 || given.length > NOISE_LIMITS.operators)
      return wrong(path, wanted);
    const [size] = given.map(rows => (Array.isArray(rows) ? rows.length : 0));
    if ((size !== 2 && size !== 4) || !given.every(rows => isMatrix(rows, size))) return wrong(path, wanted);
    const defect = completenessDefect(given.map(rows => operatorOf(rows as ComplexEntry[][])));
    if (!(defect <= COMPLETENESS))
      wrong(
        path,
        `must be complete: the sum of K†K over all operators must be the identity, from which it differs by ${defect.toPrecision(2)}; only then is the channel trace preserving`,
      );
  };
  const channel: Check = (given, path) => {
    const kind = isObject(given) ? given.channel : undefined;
    if (typeof kind !== "string" || !Object.hasOwn(channels, kind))
      return wrong(at(path, "channel"), `must be one of ${Object.keys(channels).join(", ")}`);
    const before = problems.length;
    object(given, path, { channel: () => {}, ...channels[kind] }, { on: qubit });
    const { T1, T2 } = given as { T1?: number; T2?: number };
    if (kind === "thermal_relaxation" && problems.length === before && T2! > 2 * T1!)
      wrong(at(path, "T2"), "must be at most twice T1, or the channel is not completely positive");
  };
  const rule: Check = (given, path) => {
    const before = problems.length;
    const { gates, channels: all } = Object(given) as { gates?: unknown; channels?: unknown };
    const isTimed = Array.isArray(gates) && gates.every(one => one === "delay");
    if (!isTimed && Array.isArray(all))
      all.forEach((one, i) => {
        if (one?.channel === "thermal_relaxation" && one.time === undefined)
          wrong(at(path, `channels.${i}.time`), "is needed after anything but a delay");
      });
    object(
      given,
      path,
      { channels: list(channel, NOISE_LIMITS.channels) },
      {
        gates: list(gate, NOISE_LIMITS.gates),
        numQubits: must("must be 1 or 2", value => value === 1 || value === 2),
        qubits: list(
          must(
            "must be a list of one qubit, or of two different ones",
            value =>
              Array.isArray(value) &&
              value.every(isQubit) &&
              value.length >= 1 &&
              value.length <= 2 &&
              value[0] !== value[1],
          ),
          NOISE_LIMITS.pairs,
        ),
      },
    );
    if (problems.length > before) return;
    const valid = given as NoiseRule;
    const isNarrow = valid.numQubits === 1 || (valid.gates?.length && valid.gates.every(isOneQubit));
    if (isNarrow)
      for (const [i, one] of valid.channels.entries())
        if (widthOf(one, 1) === 2)
          wrong(at(path, `channels.${i}`), "acts on two qubits, and the rule is for gates on one");
  };
  const readout: Check = (given, path) =>
    object(
      given,
      path,
      { zeroGivenOne: probability, oneGivenZero: probability },
      { qubits: list(qubit, NOISE_LIMITS.pairs) },
    );
  object(
    value,
    "",
    { rules: list(rule, NOISE_LIMITS.rules), readout: list(readout, NOISE_LIMITS.rules) },
    { name, isTwirled: flag },
  );
  return problems;
}

const at = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isWithin = (value: unknown, min: number, max: number): boolean =>
  typeof value === "number" && value >= min && value <= max;

const isMatrix = (rows: unknown, size: number): boolean =>
  Array.isArray(rows) &&
  rows.length === size &&
  rows.every(row => Array.isArray(row) && row.length === size && row.every(isEntry));

const isEntry = (entry: unknown): boolean =>
  isWithin(entry, -10, 10) ||
  (Array.isArray(entry) && entry.length === 2 && entry.every(part => isWithin(part, -10, 10)));
