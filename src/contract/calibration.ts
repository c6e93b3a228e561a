/** Figures of one qubit: times in µs, frequency in GHz, lengths in ns, errors from 0 to 1. */
export interface QubitCalibration {
  /** Relaxation time in microseconds. */
  T1: number | null;
  /** Dephasing time in microseconds. */
  T2: number | null;
  /** Frequency of the qubit in gigahertz. */
  frequency: number | null;
  /** Probability of a wrong readout, 0 to 1. */
  readoutError: number | null;
  /** Probability of reading 0 where the qubit was 1. */
  prob0Given1: number | null;
  /** Probability of reading 1 where the qubit was 0. */
  prob1Given0: number | null;
  /** Time that a readout takes, in nanoseconds. */
  readoutLength: number | null;
  /** Gate to error. */
  gateError: { [gate: string]: number };
  /** Gate to length in nanoseconds. */
  gateLength: { [gate: string]: number };
}

/** A figure of a pair of qubits. */
export interface EdgeFigure {
  /** Number of the first qubit; the control, where the gate has one. */
  source: number;
  /** Number of the second qubit. */
  target: number;
  /** The error, 0 to 1, or the length in nanoseconds. */
  value: number;
}

/** The latest calibration of a device. */
export interface DeviceCalibration {
  /** Resource name of the device. */
  deviceQrn: string;
  /** Every name of the machine, where it has several. */
  deviceQRNs?: string[];
  /** Name of the provider. */
  provider: string | null;
  /** Time of the calibration (ISO 8601). */
  lastCalibrated: string | null;
  /** Time when the service fetched the values (ISO 8601). */
  fetchedAt: string | null;
  /** Number of a qubit to its figures. */
  qubits: { [qubit: string]: QubitCalibration };
  /** Errors and lengths of two-qubit gates, by gate: a figure a pair. */
  edges: { gateError: { [gate: string]: EdgeFigure[] }; gateLength: { [gate: string]: EdgeFigure[] } };
}
