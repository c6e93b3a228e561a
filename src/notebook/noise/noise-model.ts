import { card, type Fact, formatNumber, type RenderedView } from "../../display/index.ts";
import type { NoiseRule, NoiseRules, ReadoutRule, RuleChannel } from "../../simulation/index.ts";
import type { Calibration } from "../devices/calibration.ts";
import { DisplayableValue } from "../values/displayable-value.ts";

/**
 * Noise after a gate: a number is the probability of a depolarizing error. Times are in microseconds, the length of a
 * gate in nanoseconds, as calibrations have them.
 */
export type NoiseChannel =
  | number
  | {
      /** The probability of one of the Pauli errors on the gate's qubits, each as likely. */
      depolarizing: number;
    }
  | {
      /** The probability of an X, on each qubit of the gate. */
      bitFlip: number;
    }
  | {
      /** The probability of a Z, on each qubit of the gate. */
      phaseFlip: number;
    }
  | {
      /** The probability of a Y, on each qubit of the gate. */
      bitPhaseFlip: number;
    }
  | {
      /** The probability that a 1 decays to 0, on each qubit of the gate. */
      amplitudeDamping: number;
    }
  | {
      /** Coherences of each qubit of the gate are multiplied by √(1 − phaseDamping). */
      phaseDamping: number;
    }
  | {
      /** Time constant of the decay to 0, in microseconds. */
      T1: number;
      /** Time constant of the loss of coherence, in microseconds, at most twice `T1`. */
      T2: number;
      /** Duration of the gate, in nanoseconds. Default after a delay: its duration. */
      length?: number;
    }
  | {
      /** Pauli operators with their probabilities: a letter for each qubit of a two-qubit gate, in order, such as `{ XX: 0.01 }`, or one letter that acts on each qubit. */
      pauli: { readonly [operator: string]: number };
    }
  | {
      /** Kraus operators on one qubit or two, row by row; a complex entry is `[re, im]`. The first qubit is the lowest bit of an index. */
      kraus: readonly (readonly (readonly (number | readonly [number, number])[])[])[];
    };

/**
 * A readout error: the probability of a wrong readout, those by the value of the qubit, or the matrix whose row `i` has
 * the probabilities of reading 0 and 1 where the qubit is `i`.
 */
export type ReadoutNoise =
  | number
  | {
      /** Probability of reading 0 where the qubit is 1. */
      zeroGivenOne: number;
      /** Probability of reading 1 where the qubit is 0. */
      oneGivenZero: number;
    }
  | readonly [readonly [number, number], readonly [number, number]];

/** The noise after some gates. */
export interface GateNoiseOptions {
  /**
   * Names of gates such as `"cx"`; a gate that a program defines has the noise of its parts. Also `"measure"`, before it,
   * `"reset"` and `"delay"`, after it, and `"idle"`, in each layer of gates in which a qubit waits for another. Default:
   * all except diagonal one-qubit gates, which are virtual.
   */
  gates?: string | readonly string[];
  /** The qubits of one-qubit gates such as `[0, 2]`, or the pairs of two-qubit gates such as `[[0, 1]]`, in any order. Default: any. */
  qubits?: readonly number[] | readonly (readonly [number, number])[];
  /** Channels after these gates. An empty list means no noise. */
  channels: NoiseChannel | readonly NoiseChannel[];
}

/** Parts of a noise model. */
export interface NoiseModelOptions {
  /** Displayed name. Default: "Noise". */
  name?: string;
  /** A device's calibration, of which errors of gates and readouts, T1, T2 and lengths are taken. Default: none. */
  calibration?: Calibration | Parameters<typeof Calibration.from>[0];
  /** Noise after one-qubit gates, except diagonal (virtual) ones. Default: nothing. */
  oneQubit?: NoiseChannel | readonly NoiseChannel[];
  /** After each two-qubit gate; a swap is three of them, and a larger gate two on each pair of its qubits. Default: nothing. */
  twoQubit?: NoiseChannel | readonly NoiseChannel[];
  /** By gate and qubit. Of all that match a gate, the last counts. */
  gates?: readonly GateNoiseOptions[];
  /** The readout error of every qubit. Default: none. */
  readout?: ReadoutNoise;
  /** The readout errors of single qubits, by their number. */
  readouts?: { readonly [qubit: number]: ReadoutNoise };
  /** Whether channels are replaced by their Pauli twirls, to run Clifford circuits of any width. Default: false. */
  twirled?: boolean;
}

const MAX_SHOWN = 12;

/** A custom noise model, which runs take as `noiseModel`. It shows itself as a card. */
export class NoiseModel extends DisplayableValue {
  readonly #rules: NoiseRules;

  /** @internal */
  constructor(rules: NoiseRules) {
    super();
    this.#rules = rules;
  }

  /** Name of the model. */
  get name(): string {
    return this.#rules.name ?? "Noise";
  }

  /** The model as it is sent with a job: channels by gate and qubit, times in nanoseconds, and readout errors. */
  toJSON(): NoiseRules {
    return this.#rules;
  }

  /** @internal */
  protected override render(): RenderedView {
    const { rules, readout, isTwirled } = this.#rules;
    return card({
      kind: "noise model",
      title: this.name,
      facts: [
        ...limited(
          rules.map(
            (rule): Fact => [gatesText(rule), rule.channels.map(channelText).join(", then ") || "none"],
          ),
        ),
        ...limited(readout.map((rule): Fact => [qubitsText("Readout", rule), readoutText(rule)])),
      ],
      note: [
        "Of the rules that match a gate, the last counts.",
        ...(isTwirled ? ["Channels are twirled to Pauli errors."] : []),
      ].join(" "),
    });
  }
}

function limited(facts: readonly Fact[]): Fact[] {
  if (facts.length <= MAX_SHOWN) return [...facts];
  return [...facts.slice(0, MAX_SHOWN), ["…", `and ${formatNumber(facts.length - MAX_SHOWN)} more`]];
}

function gatesText({ gates, numQubits, qubits }: NoiseRule): string {
  const width = numQubits ?? qubits?.[0]?.length;
  const what =
    gates?.join(", ") ?? (width === 1 ? "One-qubit gates" : width === 2 ? "Two-qubit gates" : "Gates");
  if (!qubits) return what;
  const places = qubits.slice(0, 4).map(places => places.join("–"));
  return `${what} on ${places.join(", ")}${qubits.length > 4 ? ", …" : ""}`;
}

const qubitsText = (what: string, { qubits }: ReadoutRule): string =>
  qubits ? `${what} of ${qubits.slice(0, 8).join(", ")}${qubits.length > 8 ? ", …" : ""}` : what;

const readoutText = ({ zeroGivenOne, oneGivenZero }: ReadoutRule): string =>
  `P(0|1) = ${figure(zeroGivenOne)}, P(1|0) = ${figure(oneGivenZero)}`;

const figure = (value: number): string => String(Number(value.toPrecision(4)));

function channelText(channel: RuleChannel): string {
  const where = channel.on === undefined ? "" : ` of qubit ${channel.on}`;
  switch (channel.channel) {
    case "amplitude_damping":
      return `amplitude damping${where} γ = ${figure(channel.gamma)}`;
    case "phase_damping":
      return `phase damping${where} λ = ${figure(channel.lambda)}`;
    case "thermal_relaxation":
      return `relaxation${where} T1 = ${figure(channel.T1 / 1000)} µs, T2 = ${figure(channel.T2 / 1000)} µs for ${channel.time === undefined ? "the delay" : `${figure(channel.time)} ns`}`;
    case "pauli":
      return Object.entries(channel.probabilities)
        .map(([operator, p]) => `${operator} ${figure(p)}`)
        .join(", ");
    case "kraus":
      return `${channel.operators.length} Kraus operators${where} on ${channel.operators[0]!.length === 2 ? "one qubit" : "two qubits"}`;
    default:
      return `${channel.channel.replaceAll("_", " ")}${where} ${figure(channel.probability)}`;
  }
}
