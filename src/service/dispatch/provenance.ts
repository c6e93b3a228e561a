import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { EmulatedQueue } from "../emulation/queue.ts";

/** What a job ran under: which service ran it, under which calibration, null: none, and how it queued for an emulated QPU. */
export function provenanceOf(
  version: string,
  calibration: DeviceCalibration | undefined,
  emulation: EmulatedQueue | undefined,
): string {
  return JSON.stringify({
    service: { name: "ketbook", version },
    calibration: calibration ? { lastCalibrated: calibration.lastCalibrated } : null,
    ...(emulation ? { emulation } : {}),
  });
}
