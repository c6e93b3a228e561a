import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { JobRow } from "../store/schema.ts";

/** What a job ran under. */
export interface RunConditions {
  /** Version of the service. */
  version: string;
  /** The calibration that a QPU was emulated by; `undefined`: none. */
  calibration: DeviceCalibration | undefined;
}

/** Notes in a job's metadata which service runs it, and under which calibration; null: none. */
export function withProvenance(job: JobRow, { version, calibration }: RunConditions): JobRow {
  const metadata = {
    ...JSON.parse(job.metadata_json),
    service: { name: "ketbook", version },
    calibration: calibration ? { lastCalibrated: calibration.lastCalibrated } : null,
  };
  return { ...job, metadata_json: JSON.stringify(metadata) };
}
