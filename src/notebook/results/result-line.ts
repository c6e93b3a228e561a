import { nothingMeasured } from "../../charts/index.ts";
import type { RuntimeJob } from "../../contract/index.ts";
import {
  clipMiddle,
  formatCount,
  formatNumber,
  formatPercent,
  present,
  singleLine,
} from "../../display/index.ts";
import { type Accuracy, type Distribution, isExactly, topOutcomes } from "../../results/index.ts";

const shownOutcomes = 3;

export function outcomesLine(values: Distribution, exact: boolean): string {
  const { top, rest } = topOutcomes(values, shownOutcomes);
  if (top.length === 0) return "no outcomes";
  if (top.length === 1 && top[0]!.outcome === "") return nothingMeasured;
  const words = top.map(({ outcome, value }) => {
    return `${clipMiddle(singleLine(outcome), 40)} ${exact ? formatPercent(value) : formatNumber(value)}`;
  });
  return present([...words, rest.outcomes > 0 && formatCount(rest.outcomes, "more outcomes")]).join(", ");
}

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
