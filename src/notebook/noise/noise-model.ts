import { card, type Fact, formatNumber, type RenderedView } from "../../display/index.ts";
import type { NoiseRule, NoiseRules, ReadoutRule, RuleChannel } from "../../simulation/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";

/** Rules that a card shows, and readouts. */
const MAX_SHOWN = 12;

/** A noise model of one's own, which runs take as `noiseModel`. It shows itself as a card. */
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
