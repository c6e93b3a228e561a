import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { EmulatedQueue } from "../emulation/queue.ts";

/**
 * Returns the circumstances of a job as JSON: the service, the calibration (null: none), the queue of an emulated QPU and
 * the names of the options that the device ignores.
 */
export function provenanceOf(
  version: string,
  calibration: DeviceCalibration | undefined,
  emulation: EmulatedQueue | undefined,
  ignored: readonly string[],
): string {
  return JSON.stringify({
    service: { name: "ketbook", version },
    calibration: calibration ? { lastCalibrated: calibration.lastCalibrated } : null,
    ...(emulation ? { emulation } : {}),
    ...(ignored.length > 0 ? { ignoredOptions: ignored } : {}),
  });
}
