import type { DeviceCalibration } from "../../contract/calibration.ts";

/** What a job ran under: which service ran it, and under which calibration; null: none. */
export function provenanceOf(version: string, calibration: DeviceCalibration | undefined): string {
  return JSON.stringify({
    service: { name: "ketbook", version },
    calibration: calibration ? { lastCalibrated: calibration.lastCalibrated } : null,
  });
}
