import { barsChart, type Chart, facetChart, lineChart, scatterChart } from "../../charts/index.ts";
import { KetbookError } from "../../client/index.ts";
import { formatCount } from "../../display/index.ts";
import { type Assessment, type Design, type EstimatedTerm, programsOf, type SumMean, Z95 } from "./assess.ts";
import { total } from "./extrapolate.ts";
import type { EstimatedRound } from "./rounds.ts";

const MAX_DRAWN = 12;

export function convergenceChart(rounds: readonly EstimatedRound[]): Chart {
  const many = rounds[0]!.values.length;
  let shots = 0;
  const rows = rounds.flatMap(round => {
    shots += round.shots;
    return round.values.map(({ observable, point, value, low, high }) => ({
      ...{ shots, value, low, high },
      of: many > 1 ? `${observable} · ${point}` : observable,
    }));
  });
  return lineChart(rows, {
    x: "shots",
    y: { field: "value", title: "mean" },
    low: "low",
    high: "high",
    ...(many > 1 && many <= MAX_DRAWN && { series: "of" }),
    title: "Convergence",
    subtitle: `${formatCount(rounds.length, "rounds")} · intervals of 95%`,
  }) as Chart;
}

export function extrapolationChart(terms: readonly EstimatedTerm[]): Chart {
  if (terms.length === 0)
    throw new KetbookError(
      'extrapolation: nothing was extrapolated. Ask for it with .mitigate("readout", "zne").',
    );
  const drawn = terms
    .map(term => ({ ...term, size: Math.abs(term.value - term.means[0]!.mean) + term.bound }))
    .sort((a, b) => b.size - a.size)
    .slice(0, MAX_DRAWN);
  const interval = (mean: number, half: number) => ({ mean, low: mean - half, high: mean + half });
  const rows = drawn.flatMap(({ term, value, standardError, bound, kind, means }) => [
    { term, factor: 0, ...interval(value, Z95 * standardError + bound), from: kind },
    ...means.map(({ factor, mean, error }) => ({
      ...{ term, factor, from: "measured" },
      ...interval(mean, Z95 * error),
    })),
  ]);
  const rest = terms.length - drawn.length;
  return facetChart(
    rows,
    {
      by: "term",
      columns: 3,
      title: `Extrapolation to no noise${rest > 0 ? ` · ${rest} more terms are not drawn` : ""}`,
    },
    part =>
      scatterChart(part, {
        x: { field: "factor", title: "noise factor" },
        y: { field: "mean", title: "mean" },
        low: "low",
        high: "high",
        series: "from",
      }),
  ) as Chart;
}

/** Draws what each group of terms, and the calibration, leaves of the standard error of a mean with its shots. */
export function groupsChart(
  design: Design,
  { point, variances }: SumMean,
  { shots, terms }: Assessment,
): Chart {
  const row = (name: string, own: readonly number[]) => ({
    group: `${name} · ${formatCount(total(own.map(i => shots[i]!)), "shots")}`,
    error: Math.sqrt(total(own.map(i => variances[i]! / shots[i]!))),
  });
  const rows = design.groups.map((_, group) => {
    const own = terms.filter(term => term.point === point && term.group === group);
    return row(own.map(({ term }) => term).join(", "), programsOf(design, point, group));
  });
  if (design.flips) rows.push(row("readout", [0]));
  rows.sort((a, b) => b.error - a.error);
  return barsChart(rows.slice(0, MAX_DRAWN), {
    x: { field: "group", title: "measured together" },
    y: { field: "error", title: "standard error" },
    horizontal: true,
    title: `Groups${rows.length > MAX_DRAWN ? ` · ${rows.length - MAX_DRAWN} more are not drawn` : ""}`,
  }) as Chart;
}
