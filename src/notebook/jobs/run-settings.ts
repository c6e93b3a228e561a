import type { JobRequest } from "../../contract/job.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import type { Device, PendingDevice } from "../devices/device.ts";
import type { Group, PendingGroup } from "../groups/group.ts";
import type { Inputs } from "../programs/inputs.ts";

/** Settings of a run. */
export interface RunSettings extends Omit<JobRequest, "deviceQrn" | "program" | "groupJobQrn"> {
  /** Missing: the connection's default. */
  device?: Device | PendingDevice | string;
  /** The group that the job is put into. */
  group?: Group | PendingGroup | string;
  programs: readonly [RecordedProgram, ...RecordedProgram[]];
  /** Whether several programs were given, be it only one of them. */
  batch: boolean;
  /** Values of the programs' `input` variables. */
  inputs?: Inputs;
  /** The maximum cost in credits. */
  maxCost?: number;
}
