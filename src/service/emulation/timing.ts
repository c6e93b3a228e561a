import type { Timing } from "../../contract/timing.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { JobRow } from "../store/schema.ts";
import { backgroundEnds } from "./background-load.ts";
import { afterOutages } from "./outage.ts";

/** Maximum duration of a job with classroom timing, in milliseconds. */
const MAX_CLASSROOM_MS = 1500;

/** Inputs of a job's timing. */
export type SubmittedJob = Pick<JobRow, "options_json" | "created_at">;

/** Returns how long a job takes for whoever waits: as its options say, or else its device. Simulators take no longer than they do. */
export function timingOf({ execution }: Pick<CatalogueDevice, "execution">, job: SubmittedJob): Timing {
  if (!execution) return "instant";
  return (JSON.parse(job.options_json) as { timing?: Timing }).timing ?? execution.timing;
}

/** Returns for how many milliseconds a job keeps its device, of the time that it is billed for. */
export function occupation(timing: Timing, microseconds: number): number {
  const milliseconds = Math.ceil(microseconds / 1000);
  if (timing === "instant") return 0;
  return timing === "realistic" ? milliseconds : Math.min(milliseconds, MAX_CLASSROOM_MS);
}

/** Returns when the jobs of simulated other users end that were on a device when a job was submitted. */
export function endsAhead(device: CatalogueDevice, job: SubmittedJob): number[] {
  return backgroundEnds(device, timingOf(device, job), job.created_at);
}

/** Returns the time before which a job does not start, in milliseconds since 1970: when the jobs of others are done. */
export function earliestStart(device: CatalogueDevice | undefined, job: SubmittedJob): number {
  if (!device?.execution || timingOf(device, job) === "instant") return job.created_at;
  return afterOutages(device, endsAhead(device, job).at(-1) ?? job.created_at);
}
