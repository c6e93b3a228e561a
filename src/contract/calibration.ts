import { z } from "zod";

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
  /** Every name of the machine, where it has several. */
  deviceQRNs?: string[];
  provider: string | null;
  lastCalibrated: string | null;
  fetchedAt: string | null;
  /** Number of a qubit to its figures. */
  qubits: { [qubit: string]: QubitCalibration };
  edges: { gateError: { [gate: string]: EdgeFigure[] }; gateLength: { [gate: string]: EdgeFigure[] } };
}

const figures = z.record(
  z.string(),
  z.array(z.strictObject({ source: z.int().min(0), target: z.int().min(0), value: z.number() })),
);

/** Describes a calibration. */
export const calibrationSchema = z.strictObject({
  deviceQrn: z.string(),
  provider: z.nullable(z.string()),
  lastCalibrated: z.nullable(z.iso.datetime()),
  fetchedAt: z.nullable(z.iso.datetime()),
  qubits: z.record(
    z.string(),
    z.strictObject({
      T1: z.nullable(z.number()),
      T2: z.nullable(z.number()),
      frequency: z.nullable(z.number()),
      readoutError: z.nullable(z.number()),
      prob0Given1: z.nullable(z.number()),
      prob1Given0: z.nullable(z.number()),
      readoutLength: z.nullable(z.number()),
      gateError: z.record(z.string(), z.number()),
      gateLength: z.record(z.string(), z.number()),
    }),
  ),
  edges: z.strictObject({ gateError: figures, gateLength: figures }),
});
