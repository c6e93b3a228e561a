import { KetbookError } from "../../client/errors.ts";
import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { RuntimeDevice } from "../../contract/device.ts";
import { isKnownTopology } from "../../contract/topology.ts";
import { card, formatPercent, median, type RenderedView } from "../../display/index.ts";
import { type Target, targetOf } from "../../simulation/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";

/** Connected sets of a size that are followed while larger ones are sought. */
const BEAM_WIDTH = 500;

/** A coupling of the chosen qubits. */
export interface BestCoupling {
  /** Its two qubits. */
  qubits: readonly [number, number];
  /** Error of its two-qubit gate, 0 to 1. */
  error: number;
}

/** The best connected qubits of a device, and why it is these. It shows itself as a card. */
export class BestQubits extends DisplayableValue {
  /** The physical qubits, ascending: an `initialLayout`. */
  readonly qubits: readonly number[];
  /** The couplings that connect them with the least error. */
  readonly couplings: readonly BestCoupling[];
  /** The probability that a two-qubit gate on each of these couplings and a readout of each qubit all succeed. */
  readonly expectedFidelity: number;
  /** Why these, in a sentence. */
  readonly reason: string;
  readonly #name: string;

  /** @internal */
  constructor(device: RuntimeDevice, calibration: DeviceCalibration, size: number) {
    super();
    if (!isKnownTopology(Object(device.topology)) || device.topology === null)
      throw new KetbookError(`best: how the qubits of ${device.qrn} are connected is not known.`);
    const target = targetOf(device.topology as Parameters<typeof targetOf>[0], calibration);
    if (size > target.numQubits)
      throw new KetbookError(`best: ${device.qrn} has ${target.numQubits} qubits, fewer than ${size}.`);
    const best = bestSet(target, size);
    if (!best) throw new KetbookError(`best: no ${size} qubits of ${device.qrn} are connected.`);
    this.#name = device.name ?? device.qrn;
    this.qubits = best.qubits.toSorted((a, b) => a - b);
    this.couplings = best.couplings;
    this.expectedFidelity = Math.exp(best.score);
    const gates = best.couplings.map(({ error }) => error);
    const readouts = best.qubits.map(qubit => target.readoutErrors[qubit]!);
    const usualGate = median(target.couplings.map(({ error }) => error)) ?? 0;
    const usualReadout = median([...target.readoutErrors]) ?? 0;
    const compared = (name: string, errors: readonly number[], usual: number) =>
      `${name} of ${formatPercent(Math.min(...errors))} to ${formatPercent(Math.max(...errors))} (median of the device ${formatPercent(usual)})`;
    this.reason = [
      `Of the connected sets of ${size}, this has the least error`,
      ...(gates.length > 0 ? [compared("two-qubit gates", gates, usualGate)] : []),
      compared("readouts", readouts, usualReadout),
    ].join("; ");
  }

  /** The qubits, their couplings and why these. */
  toJSON(): Pick<BestQubits, "qubits" | "couplings" | "expectedFidelity" | "reason"> {
    const { qubits, couplings, expectedFidelity, reason } = this;
    return { qubits, couplings, expectedFidelity, reason };
  }

  /** @internal */
  protected override render(): RenderedView {
    const couplings = this.couplings.map(({ qubits: [a, b], error }) => `${a}–${b} ${formatPercent(error)}`);
    return card({
      kind: "best qubits",
      title: this.#name,
      facts: [
        ["Qubits", this.qubits.join(", ")],
        ...(couplings.length > 0 ? [["Couplings", couplings.join(", ")] as const] : []),
        ["Expected fidelity", formatPercent(this.expectedFidelity)],
        ["Why", this.reason],
      ],
      note: "The fidelity is that of one gate on each coupling and one readout of each qubit.",
    });
  }
}

interface ConnectedSet {
  readonly qubits: readonly number[];
  readonly couplings: readonly BestCoupling[];
  /** The logarithm of its expected fidelity. */
  readonly score: number;
}

const logFidelity = (error: number) => Math.log1p(-Math.min(error, 0.999));

/** Grows connected sets qubit by qubit, each by its coupling of the least error, and keeps the best of each size. */
function bestSet(target: Target, size: number): ConnectedSet | undefined {
  const readout = (qubit: number) => logFidelity(target.readoutErrors[qubit]!);
  let sets: ConnectedSet[] = Array.from({ length: target.numQubits }, (_, qubit) => ({
    qubits: [qubit],
    couplings: [],
    score: readout(qubit),
  }));
  for (let grown = 1; grown < size; grown++) {
    const found = new Map<string, ConnectedSet>();
    for (const set of sets)
      for (const at of set.qubits)
        for (const qubit of target.neighbours[at]!) {
          if (set.qubits.includes(qubit)) continue;
          const error = target.couplingOf(at, qubit)!.error;
          const qubits = [...set.qubits, qubit];
          const key = qubits.toSorted((a, b) => a - b).join(" ");
          const score = set.score + readout(qubit) + logFidelity(error);
          if (score <= (found.get(key)?.score ?? Number.NEGATIVE_INFINITY)) continue;
          found.set(key, { qubits, couplings: [...set.couplings, { qubits: [at, qubit], error }], score });
        }
    sets = [...found.values()].sort((a, b) => b.score - a.score).slice(0, BEAM_WIDTH);
  }
  return sets.reduce<ConnectedSet | undefined>(
    (best, set) => (best && best.score >= set.score ? best : set),
    undefined,
  );
}
