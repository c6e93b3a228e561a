import { KetbookError } from "../../client/index.ts";
import { type DeviceCalibration, isKnownTopology, type RuntimeDevice } from "../../contract/index.ts";
import {
  card,
  formatPercent,
  median,
  pairErrors,
  pairName,
  qubitFigures,
  type RenderedView,
} from "../../display/index.ts";
import { type Target, targetOf } from "../../simulation/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";

/** Connected sets of a size that are followed while larger ones are sought. */
const BEAM_WIDTH = 500;

/** The best connected qubits of a device, and why it is these. It shows itself as a card. */
export class BestQubits extends DisplayableValue {
  /** The physical qubits, ascending: an `initialLayout`. */
  readonly qubits: readonly number[];
  /** The couplings that connect them with the least error: the error of each two-qubit gate, null where it is not calibrated. */
  readonly couplings: readonly { qubits: readonly [number, number]; error: number | null }[];
  /**
   * The probability that a two-qubit gate on each of these couplings and a readout of each qubit all succeed; null where
   * one of their errors is not calibrated.
   */
  readonly expectedFidelity: number | null;
  /** Reason for this choice, in a sentence. */
  readonly reason: string;
  readonly #name: string;

  /** @internal */
  constructor(device: RuntimeDevice, calibration: DeviceCalibration, size: number) {
    super();
    if (!isKnownTopology(Object(device.topology)) || device.topology === null)
      throw new KetbookError(`best: ${device.qrn} does not say how its qubits are connected.`);
    const target = targetOf(device.topology as Parameters<typeof targetOf>[0], calibration);
    const errors = knownErrors(calibration);
    if (errors.pairs.size === 0 && errors.readouts.size === 0)
      throw new KetbookError(
        `best: the calibration of ${device.qrn} lists no errors of two-qubit gates or readouts, so its qubits cannot be compared.`,
      );
    if (size > target.numQubits)
      throw new KetbookError(`best: ${device.qrn} has ${target.numQubits} qubits, fewer than ${size}.`);
    const best = bestSet(target, errors, size);
    if (!best) throw new KetbookError(`best: ${device.qrn} does not have ${size} connected qubits.`);
    this.#name = device.name ?? device.qrn;
    this.qubits = best.qubits.toSorted((a, b) => a - b);
    this.couplings = best.couplings;
    const gates = best.couplings.map(({ error }) => error);
    const readouts = best.qubits.map(qubit => errors.readouts.get(qubit) ?? null);
    this.expectedFidelity = [...gates, ...readouts].includes(null) ? null : Math.exp(best.score);
    this.reason = [
      `Of the connected sets of ${size}, this has the least known error`,
      ...(gates.length > 0 ? [compared("two-qubit gates", gates, errors.pairs.values())] : []),
      compared("readouts", readouts, errors.readouts.values()),
    ].join("; ");
  }

  /** The qubits, their couplings and why these. */
  toJSON(): Pick<BestQubits, "qubits" | "couplings" | "expectedFidelity" | "reason"> {
    const { qubits, couplings, expectedFidelity, reason } = this;
    return { qubits, couplings, expectedFidelity, reason };
  }

  /** @internal */
  protected override render(): RenderedView {
    const couplings = this.couplings.map(
      ({ qubits: [a, b], error }) => `${a}–${b} ${error === null ? "unknown" : formatPercent(error)}`,
    );
    const fidelity = this.expectedFidelity;
    return card({
      kind: "best qubits",
      title: this.#name,
      facts: [
        ["Qubits", this.qubits.join(", ")],
        ...(couplings.length > 0 ? [["Couplings", couplings.join(", ")] as const] : []),
        [
          "Expected fidelity",
          fidelity === null ? "unknown, as some errors are not calibrated" : formatPercent(fidelity),
        ],
        ["Why", this.reason],
      ],
      note: "The fidelity is that of one gate on each coupling and one readout of each qubit.",
    });
  }
}

type ConnectedSet = Pick<BestQubits, "qubits" | "couplings"> & { readonly score: number };

/** Errors of a calibration, 0 to 1. What is not calibrated is missing. */
function knownErrors(calibration: DeviceCalibration) {
  const readouts = [...qubitFigures(calibration)].flatMap(([qubit, { readoutError }]) =>
    readoutError === null ? [] : [[qubit, readoutError] as const],
  );
  return { pairs: pairErrors(calibration).errors, readouts: new Map(readouts) };
}

/** Compares some errors with those of the device, in words: `readouts of 1 % to 2 % (median of the device 1.5 %)`. */
function compared(name: string, errors: readonly (number | null)[], all: Iterable<number>): string {
  const known = errors.filter(error => error !== null);
  if (known.length === 0) return `${name} of unknown error`;
  const unknown = known.length < errors.length ? `, ${errors.length - known.length} unknown` : "";
  return `${name} of ${formatPercent(Math.min(...known))} to ${formatPercent(Math.max(...known))}${unknown} (median of the device ${formatPercent(median(all))})`;
}

const logFidelity = (error: number) => Math.log1p(-Math.min(error, 0.999));

/**
 * Grows connected sets qubit by qubit, each by its coupling of the least error, and keeps the best of each size. An error
 * that is not calibrated counts like twice the largest one that is, so it is chosen last.
 */
function bestSet(target: Target, { pairs, readouts }: ReturnType<typeof knownErrors>, size: number) {
  const worst = (errors: ReadonlyMap<unknown, number>) => 2 * Math.max(0, ...errors.values());
  const [worstPair, worstReadout] = [worst(pairs), worst(readouts)];
  const readout = (qubit: number) => logFidelity(readouts.get(qubit) ?? worstReadout);
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
          const error = pairs.get(pairName(at, qubit)) ?? null;
          const qubits = [...set.qubits, qubit];
          const key = qubits.toSorted((a, b) => a - b).join(" ");
          const score = set.score + readout(qubit) + logFidelity(error ?? worstPair);
          if (score <= (found.get(key)?.score ?? Number.NEGATIVE_INFINITY)) continue;
          found.set(key, { qubits, couplings: [...set.couplings, { qubits: [at, qubit], error }], score });
        }
    sets = [...found.values()].sort((a, b) => b.score - a.score).slice(0, BEAM_WIDTH);
  }
  return sets.toSorted((a, b) => b.score - a.score)[0];
}
