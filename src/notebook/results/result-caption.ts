import { isExact } from "./distribution.ts";
import type { Result } from "./result.ts";

/** Returns what stands above the chart of a result: the job's name, and what could not be read. */
export function captionOf({ job, problem }: Result): { title?: string; details: string[] } {
  return {
    ...(job.name !== null && { title: job.name }),
    details: problem ? [problem] : [],
  };
}

/** Returns what a result is called beside others: the job's name, or its device. */
export function labelOf(result: Result): string {
  const device = result.job.deviceQrn.split(":").at(-1) || "result";
  return result.job.name ?? (isExact(result) ? `${device}, exact` : device);
}
