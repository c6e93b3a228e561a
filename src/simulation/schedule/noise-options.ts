/** Noise of a device that acts on a program. */
export interface DeviceNoiseOptions {
  /** Whether qubits relax, by their T1 and T2, during gates, delays and idling. Default: true. */
  relaxation?: boolean;
  /** Whether the frequencies of qubits differ from shot to shot, by their T2*, which echoes undo. Default: as `relaxation`. */
  slowDephasing?: boolean;
  /** Whether gates and resets have their published errors. Default: true. */
  gates?: boolean;
  /** Whether measurements are read out with their published errors. Default: true. */
  readout?: boolean;
  /** The part by which gates rotate too far, coherently. Default: 0. */
  overRotation?: number;
  /** ZZ coupling between the neighbouring qubits of two-qubit gates that run at the same time, in kilohertz. Default: 0. */
  crosstalk?: number;
  /** The probability that the readouts of two neighbouring qubits, read at the same time at the end, are both wrong at once. Default: 0. */
  correlatedReadout?: number;
  /**
   * Drift of a device within a job: the standard deviation, at the end of the job, of the frequencies of its
   * qubits, in kilohertz. T1 and T2 drift with them, by 1 % a kilohertz. Default: 0.
   */
  drift?: number;
}
