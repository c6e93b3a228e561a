import type { DeviceCalibration, QubitCalibration } from "../../contract/calibration.ts";
import { oneQubitGate } from "../../display/calibration.ts";
import { formatNumber, formatPercent, missing } from "../../display/format.ts";
import { singleLine } from "../../display/text.ts";

/** A figure that each qubit has. */
export interface QubitFigure {
  name: string;
  /** Times are in microseconds, errors from 0 to 1. */
  kind: "time" | "error";
  /** Returns the figure of a qubit; null where it is missing. */
  read(qubit: QubitCalibration | undefined): number | null;
}

/** Returns the figures that the qubits of a calibration have: T1, T2, readout error and that of a one-qubit gate. */
export function figuresOf(calibration: DeviceCalibration): QubitFigure[] {
  const gate = oneQubitGate(calibration);
  const figure = (
    name: string,
    kind: QubitFigure["kind"],
    read: (qubit: QubitCalibration) => number | null | undefined,
  ): QubitFigure => ({
    name,
    kind,
    read(qubit) {
      const value = qubit && read(qubit);
      return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
    },
  });
  return [
    figure("T1", "time", qubit => qubit.T1),
    figure("T2", "time", qubit => qubit.T2),
    figure("Readout error", "error", qubit => qubit.readoutError),
    ...(gate === null
      ? []
      : [figure(`${singleLine(gate, 16)} error`, "error", qubit => qubit.gateError[gate])]),
  ];
}

/** Returns a figure in its unit: `112.1 µs`, `188 s`, `0.31 %`. */
export function figureText(kind: QubitFigure["kind"], value: number | null): string {
  if (kind === "error") return formatPercent(value);
  if (value === null) return missing;
  const shown = (amount: number) => formatNumber(Number(amount.toPrecision(3)));
  return value < 1e5 ? `${shown(value)} µs` : `${shown(value / 1e6)} s`;
}
