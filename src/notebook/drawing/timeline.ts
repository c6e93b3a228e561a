import type { Chart } from "../../charts/chart.ts";
import { type TimelineOptions, timelineChart } from "../../charts/schedule/timeline.ts";
import { KetbookError } from "../../client/errors.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import { isKnownTopology } from "../../contract/topology.ts";
import { deviceFigures, ProgramError, SimulationError, scheduleCircuit } from "../../simulation/index.ts";
import type { Device, PendingDevice } from "../devices/device.ts";
import { calibrationGaps, compileForDevice } from "../programs/device-program.ts";
import { QasmProgram } from "../programs/program.ts";
import { type TranspileOptions, transpileOptionChecks } from "../programs/transpile-options.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions } from "../values/options.ts";

/**
 * Draws when a program keeps the qubits of a device busy: it is transpiled and scheduled as an emulated QPU does, as late
 * as possible. Options say how it is transpiled, as those of `transpile`, and how the chart is drawn. Pulses are blocks, named where there is room; what takes no time, as rotations about Z, is a diamond.
 *
 * @example
 * ```ts
 * import { device, qasm, timeline } from "ketbook";
 * const ghz = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[3] c; h q[0]; cx q[0], q[1]; cx q[1], q[2]; c = measure q;`;
 * timeline(ghz, device("perth"));
 * ```
 *
 * @throws KetbookError for a device without a calibration, and a program that does not compile or fit.
 */
export function timeline(
  program: string | RecordedProgram,
  device: Device | PendingDevice,
  { optimizationLevel, initialLayout, seed, verbatim, ...options }: TimelineOptions & TranspileOptions = {},
): LazyValue<Chart<TimelineOptions>> {
  const compiling = {
    ...(optimizationLevel !== undefined && { optimizationLevel }),
    ...(initialLayout !== undefined && { initialLayout }),
    ...(seed !== undefined && { seed }),
    ...(verbatim !== undefined && { verbatim }),
  };
  checkHelperOptions("timeline", compiling, transpileOptionChecks);
  return new LazyValue("Timeline", async () => {
    const chosen = await device;
    const { name, topology, qrn } = chosen;
    const calibration = await chosen.shownCalibration();
    if (!calibration || topology === null || !isKnownTopology(topology))
      throw new KetbookError(`timeline: ${qrn} has no calibration that says how long its gates take.`);
    try {
      const { circuit } = compileForDevice(QasmProgram.of(program), topology, calibration, compiling);
      const schedule = scheduleCircuit(circuit, deviceFigures(calibration));
      const { missing, assumed } = calibrationGaps(schedule.operations, calibration);
      const guessed = [...missing.filter(gap => /lengths of/.test(gap)), ...assumed];
      const note = guessed.length > 0 ? ` (assumed: ${guessed.join("; ")})` : "";
      return rethrowAsKetbookError("timeline", () =>
        timelineChart({ name: (name ?? qrn) + note, ...schedule }, options),
      );
    } catch (error) {
      if (!(error instanceof ProgramError || error instanceof SimulationError)) throw error;
      throw new KetbookError(`timeline: ${error.message}`, { cause: error });
    }
  });
}
