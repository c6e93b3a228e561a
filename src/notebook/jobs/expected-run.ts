import type { RecordedProgram } from "../../contract/program.ts";
import { isKnownTopology } from "../../contract/topology.ts";
import { ProgramError, SimulationError } from "../../simulation/index.ts";
import { compileForDevice, type ExpectedRun, expectedRunOf } from "../programs/device-program.ts";
import type { TranspileOptions } from "../programs/transpile-options.ts";
import type { Session } from "../session.ts";

/** Qubits of a device up to which a program is transpiled only to be shown. */
const MAX_QUBITS = 200;
/** Characters of a program up to which it is transpiled only to be shown. */
const MAX_LENGTH = 50_000;

/** Computes what is to be expected of a program on a device; `undefined` where that is not known, as for a simulator. */
export async function expectedRun(
  { client, calibrations }: Session,
  qrn: string,
  program: RecordedProgram,
  options: { [option: string]: unknown } = {},
): Promise<ExpectedRun | undefined> {
  const { format, data } = program;
  const isKnown = format === "qasm3" || format === "qasm2" || format === "qir.ll";
  if (!isKnown || typeof data !== "string" || data.length > MAX_LENGTH) return undefined;
  const { topology, deviceType } = await client.devices.get(qrn);
  if (deviceType !== "QPU" || topology === null || !isKnownTopology(topology)) return undefined;
  const calibration = await calibrations.latest(qrn).catch(() => undefined);
  if (!calibration || Object.keys(calibration.qubits).length > MAX_QUBITS) return undefined;
  const { optimizationLevel, initialLayout, verbatim } = options as TranspileOptions;
  const chosen = {
    ...(optimizationLevel !== undefined && { optimizationLevel }),
    ...(initialLayout && { initialLayout }),
    ...(verbatim && { verbatim }),
  };
  try {
    return expectedRunOf(
      compileForDevice({ ...program, data }, topology, calibration, chosen).circuit,
      calibration,
    );
  } catch (error) {
    if (error instanceof ProgramError || error instanceof SimulationError) return undefined;
    throw error;
  }
}
