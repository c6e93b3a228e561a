import type { Kit } from "./kit.ts";

/** Figures of one qubit: times in µs, frequency in GHz, lengths in ns, errors from 0 to 1. */
export interface QubitCalibration {
  T1: number | null;
  T2: number | null;
  frequency: number | null;
  readoutError: number | null;
  prob0Given1: number | null;
  prob1Given0: number | null;
  readoutLength: number | null;
  /** Gate to error. */
  gateError: { [gate: string]: number };
  /** Gate to length. */
  gateLength: { [gate: string]: number };
}

/** A figure of a pair of qubits. */
export interface EdgeFigure {
  source: number;
  target: number;
  value: number;
}

/** The latest calibration of a device. */
export interface DeviceCalibration {
  deviceQrn: string;
  provider: string | null;
  lastCalibrated: string | null;
  fetchedAt: string | null;
  /** Number of a qubit to its figures. */
  qubits: { [qubit: string]: QubitCalibration };
  edges: { gateError: { [gate: string]: EdgeFigure[] }; gateLength: { [gate: string]: EdgeFigure[] } };
}

/** Describes a calibration. */
export const calibrationOf = (kit: Kit) => {
  const figures = kit.map(
    kit.list(kit.object({ source: kit.count(), target: kit.count(), value: kit.amount() })),
  );
  return kit.object({
    deviceQrn: kit.text(),
    provider: kit.maybe(kit.text()),
    lastCalibrated: kit.maybe(kit.time()),
    fetchedAt: kit.maybe(kit.time()),
    qubits: kit.map(
      kit.object({
        T1: kit.maybe(kit.amount()),
        T2: kit.maybe(kit.amount()),
        frequency: kit.maybe(kit.amount()),
        readoutError: kit.maybe(kit.amount()),
        prob0Given1: kit.maybe(kit.amount()),
        prob1Given0: kit.maybe(kit.amount()),
        readoutLength: kit.maybe(kit.amount()),
        gateError: kit.map(kit.amount()),
        gateLength: kit.map(kit.amount()),
      }),
    ),
    edges: kit.object({ gateError: figures, gateLength: figures }),
  });
};
