import { isExactly } from "../../results/index.ts";
import type { Result } from "./result.ts";

/** Returns the title and caption of a result's chart: the job's name, what could not be read, and ignored options. */
export function captionOf({ job, problem, ignoredOptions }: Result): { title?: string; details: string[] } {
  return {
    ...(job.name !== null && { title: job.name }),
    details: [
      ...(problem ? [problem] : []),
      ...(ignoredOptions.length > 0 ? [`ignored by the service: ${ignoredOptions.join(", ")}`] : []),
    ],
  };
}

/** Returns what a result is called beside others: the job's name, or its device. */
export function labelOf(result: Result): string {
  const device = result.job.deviceQrn.split(":").at(-1) || "result";
  return result.job.name ?? (isExactly(result.accuracy) ? `${device}, exact` : device);
}
