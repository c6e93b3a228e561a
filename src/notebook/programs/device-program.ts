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
import { missingFigures } from "./missing-figures.ts";
import type { TranspileOptions } from "./transpile-options.ts";

/** Expected outcome of a run on a QPU, by its calibration. */
export interface ExpectedRun {
  /** Expected fidelity of a shot, 0 to 1; null where the calibration lacks a figure of it. */
  fidelity: number | null;
  /** Figures that the calibration lacks, in words. */
  missing: readonly string[];
  /** Nanoseconds that a shot takes; null where the fidelity is. */
  duration: number | null;
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
  const { operations, duration } = scheduleCircuit(circuit, figures);
  const missing = missingFigures(operations, calibration);
  if (missing.length > 0) return { fidelity: null, missing, duration: null };
  return { fidelity: expectedFidelity(circuit, figures), missing, duration };
}
