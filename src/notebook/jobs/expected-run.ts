import type { RecordedProgram } from "../../contract/program.ts";
import { isKnownTopology } from "../../contract/topology.ts";
import {
  compile,
  deviceFigures,
  expectedFidelity,
  type OptimizationLevel,
  ProgramError,
  SimulationError,
  scheduleCircuit,
  targetOf,
  transpile,
} from "../../simulation/index.ts";
import type { Ketbook } from "../ketbook.ts";

/** Qubits of a device up to which a program is transpiled only to be shown. */
const MAX_QUBITS = 200;
/** Characters of a program up to which it is transpiled only to be shown. */
const MAX_LENGTH = 50_000;

/** What is to be expected of a run on a QPU, by its calibration. */
export interface ExpectedRun {
  /** Expected fidelity of a shot, 0 to 1. */
  fidelity: number;
  /** Microseconds that a shot takes. */
  duration: number;
}

/** Computes what is to be expected of a program on a device; `undefined` where that is not known, as for a simulator. */
export async function expectedRun(
  { client, calibrations }: Ketbook,
  qrn: string,
  { format, data, files }: RecordedProgram,
  options: { [option: string]: unknown } = {},
): Promise<ExpectedRun | undefined> {
  const isKnown = format === "qasm3" || format === "qasm2" || format === "qir.ll";
  if (!isKnown || typeof data !== "string" || data.length > MAX_LENGTH) return undefined;
  const { topology, deviceType } = await client.devices.get(qrn);
  if (deviceType !== "QPU" || topology === null || !isKnownTopology(topology)) return undefined;
  const calibration = await calibrations.latest(qrn).catch(() => undefined);
  if (!calibration || Object.keys(calibration.qubits).length > MAX_QUBITS) return undefined;
  const { optimizationLevel, initialLayout } = options as {
    optimizationLevel?: OptimizationLevel;
    initialLayout?: number[];
  };
  try {
    const { circuit } = transpile(compile({ format, data, files }), targetOf(topology, calibration), {
      ...(optimizationLevel === undefined ? {} : { optimizationLevel }),
      ...(initialLayout ? { initialLayout } : {}),
    });
    const figures = deviceFigures(calibration);
    return {
      fidelity: expectedFidelity(circuit, figures),
      duration: scheduleCircuit(circuit, figures).duration / 1000,
    };
  } catch (error) {
    if (error instanceof ProgramError || error instanceof SimulationError) return undefined;
    throw error;
  }
}
