import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import type { KnownTopology } from "../../contract/topology.ts";
import {
  type Circuit,
  compile,
  deviceFigures,
  expectedFidelity,
  scheduleCircuit,
  type Transpiled,
  targetOf,
  transpile,
} from "../../simulation/index.ts";

import type { TranspileOptions } from "./transpile-options.ts";

/** What is to be expected of a run on a QPU, by its calibration. */
export interface ExpectedRun {
  /** Expected fidelity of a shot, 0 to 1. */
  fidelity: number;
  /** Nanoseconds that a shot takes. */
  duration: number;
}

/** Compiles a program and transpiles it for a device. Throws a ProgramError or SimulationError where that can't be done. */
export function compileForDevice(
  { format, data, files }: Pick<RecordedProgram, "format" | "files"> & { data: string },
  topology: KnownTopology,
  calibration: DeviceCalibration | undefined,
  options: TranspileOptions = {},
): Transpiled {
  const source = compile({ format: format as "qasm3" | "qasm2" | "qir.ll", data, files });
  return transpile(source, targetOf(topology, calibration), options);
}

/** Computes what is to be expected of a transpiled circuit. Throws a SimulationError where it cannot be scheduled. */
export function expectedRunOf(circuit: Circuit, calibration: DeviceCalibration): ExpectedRun {
  const figures = deviceFigures(calibration);
  return {
    fidelity: expectedFidelity(circuit, figures),
    duration: scheduleCircuit(circuit, figures).duration,
  };
}
