import { type Chart, facetChart, heatmapChart, lineChart } from "../../charts/index.ts";
import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { type Displayable, formatValue } from "../../display/index.ts";
import type { Inputs, InputValue } from "../programs/inputs.ts";

const columns = new Set(
  "program outcome observable count probability low high value standardError shots spin energy occurrences time constraint".split(
    " ",
  ),
);

const nanoseconds: Record<string, number> = { dt: 1, ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9 };
const duration = /^\s*([\d.]+(?:[eE][-+]?\d+)?)\s*(dt|[nuµμm]?s)\s*$/;

/**
 * The values of inputs as columns of rows, a row a run; none has the name of another column. Durations are numbers in
 * the unit of the longest, which ends the name of their column: `wait (µs)`; `dt` is not mixed with other units.
 */
export function inputColumns(runs: readonly Inputs[]): { [column: string]: InputValue }[] {
  const rows = runs.map((): [string, InputValue][] => []);
  for (const name of new Set(runs.flatMap(Object.keys))) {
    const read = runs.map(run => duration.exec(String(run[name])));
    const sizes = read.map(found => Number(found?.[1]) * nanoseconds[`${found?.[2]}`]!);
    const unit = read[sizes.indexOf(sizes.reduce((one, other) => Math.max(one, other)))]?.[2];
    const isDuration = unit !== undefined && read.every(found => (found?.[2] === "dt") === (unit === "dt"));
    const column = `${columns.has(name) ? "input." : ""}${name}${isDuration ? ` (${unit.replace(/^[uμ]/, "µ")})` : ""}`;
    runs.forEach((run, i) => {
      const value = isDuration ? Number((sizes[i]! / nanoseconds[unit]!).toPrecision(12)) : run[name]!;
      if (Object.hasOwn(run, name)) rows[i]!.push([column, value]);
    });
  }
  return rows.map(Object.fromEntries<InputValue>);
}

/** So many inputs are looked at, of programs that somebody else may have written. */
const maxInputs = 16;

/** The inputs whose values differ between the runs of a sweep, without those that follow from another one. */
export function sweptInputs(runs: readonly Inputs[]): string[] {
  const names = [...new Set(runs.flatMap(inputs => Object.keys(inputs)))].slice(0, maxInputs);
  const columns = new Map(names.map(name => [name, runs.map(inputs => JSON.stringify(inputs[name]) ?? "")]));
  const varying = names.filter(name => new Set(columns.get(name)).size > 1);
  const determines = (one: string, other: string) => isFunction(columns.get(one)!, columns.get(other)!);
  return varying.filter(
    (name, place) =>
      !varying.some(
        (other, before) =>
          other !== name && determines(other, name) && (before < place || !determines(name, other)),
      ),
  );
}

/** Whether equal values of one column always come with equal values of the other. */
function isFunction(from: readonly string[], to: readonly string[]): boolean {
  const images = new Map<string, string>();
  return from.every((value, row) => {
    const image = images.get(value) ?? to[row]!;
    images.set(value, image);
    return image === to[row];
  });
}

type SweepRow = { readonly program: number; readonly [column: string]: unknown };

interface SweepFigure {
  /** The column of values; their intervals are in `low` and `high`. */
  value: string;
  series?: string;
  /** Values at the ends of the scale. Default: the least and the largest value. */
  domain?: readonly [number, number];
  title: string;
  /** A remark below the title, and one about the intervals where they are drawn. */
  subtitle: string;
  intervals: string;
}

const maxPanels = 12;
const panelTitle = "panel";

/** Draws a list as a chart, or as a table if there is no such chart, as for scattered inputs with too many cells. */
export function chartOrTable(list: { chart(): Chart; table(): Displayable }): Displayable {
  try {
    return list.chart();
  } catch (error) {
    if (error instanceof KetbookError) return list.table();
    throw error;
  }
}

/** Draws figures over one swept input as lines with bands, over more as heatmaps; without any, over the number of the program. */
export const sweepChart = (...asked: Parameters<typeof draw>): Chart =>
  rethrowAsKetbookError("chart", () => draw(...asked));

function draw(
  rows: readonly SweepRow[],
  inputs: readonly string[],
  { value, series, domain, title, subtitle, intervals }: SweepFigure,
): Chart {
  const [x = "program", y, ...others] = inputs;
  const scaled = { field: value, ...(domain && { domain }) };
  if (y === undefined)
    return lineChart(rows, {
      ...{ title, subtitle: `${subtitle} · ${intervals}`, x, y: scaled, low: "low", high: "high" },
      ...(series && { series }),
    });
  const tells = [...others, ...(series === undefined ? [] : [series])];
  if (tells.length === 0) return heatmapChart(rows, { title, subtitle, x, y, color: scaled });
  const nameOf = (row: SweepRow) =>
    tells.map(name => `${name === series ? "" : `${name} `}${formatValue(row[name])}`).join(", ");
  const named = rows.map((row): SweepRow => ({ ...row, [panelTitle]: nameOf(row) }));
  const panels = [...new Set(named.map(row => row[panelTitle]))];
  const drawn = new Set(panels.slice(0, maxPanels));
  const left = panels.length - drawn.size;
  return facetChart(
    named.filter(row => drawn.has(row[panelTitle])),
    {
      by: { field: panelTitle, scale: "category" },
      title: [title, ...(left > 0 ? [`${left} more are not drawn`] : []), subtitle].join(" · "),
      columns: drawn.size === 4 ? 2 : 3,
    },
    part => heatmapChart(part, { x, y, color: scaled, values: false }),
  );
}
