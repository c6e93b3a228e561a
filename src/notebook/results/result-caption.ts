import { isExactly } from "../../results/index.ts";
import type { Result } from "./result.ts";

/** Notes of the service on the program of a job and its noise. */
function notesOf({ metadata }: Result["jobRecord"]): string[] {
  const { diagnostics, unusedNoise } = Object(metadata) as { diagnostics?: unknown; unusedNoise?: unknown };
  const notes = (Array.isArray(diagnostics) ? diagnostics : []).filter(one => one?.severity === "note");
  return [...notes, { message: unusedNoise }].flatMap(({ program, message }) =>
    program === undefined && typeof message === "string" ? [message] : [],
  );
}

/** Returns the title and caption of a result's chart: the job's name, what could not be read, ignored options, and notes. */
export function captionOf({ jobRecord: job, problem, ignoredOptions }: Result): {
  title?: string;
  details: string[];
} {
  return {
    ...(job.name !== null && { title: job.name }),
    details: [
      ...(problem ? [problem] : []),
      ...(ignoredOptions.length > 0 ? [`ignored by the service: ${ignoredOptions.join(", ")}`] : []),
      ...notesOf(job),
    ],
  };
}

/** Returns what a result is called beside others: the job's name, or its device. */
export function labelOf(result: Result): string {
  const device = result.jobRecord.deviceQrn.split(":").at(-1) || "result";
  return result.jobRecord.name ?? (isExactly(result.accuracy) ? `${device}, exact` : device);
}
