import { formatCredits, formatDuration } from "../../display/index.ts";
import { isExact } from "./distribution.ts";
import type { Result } from "./result.ts";

/** Whether a device is a simulator or an emulated QPU, whose price belongs to the card of the job only. */
const isSimulated = (qrn: string) => /:(?:sim|emulated):/.test(qrn);

/** Returns what stands above the chart of a result: the job's name; device, cost and duration, or what could not be read. */
export function captionOf({ job, cost, duration, problem }: Result): { title?: string; details: string[] } {
  const details = [
    job.deviceQrn,
    cost === null || isSimulated(job.deviceQrn) ? "" : formatCredits(cost),
    duration === null ? "" : formatDuration(duration),
  ];
  return {
    ...(job.name !== null && { title: job.name }),
    details: problem ? [problem] : details.filter(Boolean),
  };
}

/** Returns what a result is called beside others: the job's name, or its device. */
export function labelOf(result: Result): string {
  const device = result.job.deviceQrn.split(":").at(-1) || "result";
  return result.job.name ?? (isExact(result) ? `${device}, exact` : device);
}
