import { nothingMeasured } from "../../charts/index.ts";
import { formatNumber, formatPercent } from "../../display/index.ts";
import { clipMiddle, singleLine } from "../../display/text.ts";
import { type Distribution, topOutcomes } from "../../results/index.ts";

const shownOutcomes = 3;

/** The likeliest outcomes and how many more there are: `00 503, 11 497`. */
export function outcomesLine(values: Distribution, exact: boolean): string {
  const { top, rest } = topOutcomes(values, shownOutcomes);
  if (top.length === 0) return "no outcomes";
  if (top.length === 1 && top[0]!.outcome === "") return nothingMeasured;
  const words = top.map(({ outcome, value }) => {
    return `${clipMiddle(singleLine(outcome), 40)} ${exact ? formatPercent(value) : formatNumber(value)}`;
  });
  return [...words, ...(rest.outcomes > 0 ? [`${formatNumber(rest.outcomes)} more outcomes`] : [])].join(
    ", ",
  );
}

/** A device as it stands in a sentence: ` on aws:iqm:qpu:garnet`; nothing when it is not known. */
export const onDevice = (qrn: string | null | undefined) => (qrn ? ` on ${singleLine(qrn, 100)}` : "");
