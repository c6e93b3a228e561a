import type { RuntimeJob } from "../../contract/index.ts";
import { singleLine } from "../../display/index.ts";
import { type Accuracy, isExactly } from "../../results/index.ts";

/** A device as part of a sentence: ` on aws:iqm:qpu:garnet`; empty if unknown. */
export const onDevice = (qrn: string | null | undefined) => (qrn ? ` on ${singleLine(qrn, 100)}` : "");

interface CaptionedResult {
  readonly jobRecord: Readonly<RuntimeJob>;
  readonly problem: string | null;
  readonly ignoredOptions: readonly string[];
  readonly accuracy: Accuracy;
}

function notesOf({ metadata }: RuntimeJob): string[] {
  const { diagnostics, unusedNoise } = Object(metadata) as { diagnostics?: unknown; unusedNoise?: unknown };
  const notes = (Array.isArray(diagnostics) ? diagnostics : []).filter(one => one?.severity === "note");
  return [...notes, { message: unusedNoise }].flatMap(({ program, message }) =>
    program === undefined && typeof message === "string" ? [message] : [],
  );
}

/** Returns the title and caption of a result's chart: the job's name, what could not be read, ignored options, and notes. */
export function captionOf({ jobRecord: job, problem, ignoredOptions }: CaptionedResult) {
  return {
    ...(job.name !== null && { title: job.name }),
    details: [
      ...(problem ? [problem] : []),
      ...(ignoredOptions.length > 0 ? [`ignored by the service: ${ignoredOptions.join(", ")}`] : []),
      ...notesOf(job),
    ],
  };
}

export function labelOf(result: CaptionedResult): string {
  const device = result.jobRecord.deviceQrn.split(":").at(-1) || "result";
  return result.jobRecord.name ?? (isExactly(result.accuracy) ? `${device}, exact` : device);
}
