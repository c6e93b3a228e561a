import { flag } from "../../contract/options.ts";
import { describeTrend } from "../alt-text.ts";
import { colorCheck } from "../bar-options.ts";
import type { Chart } from "../chart.ts";
import { type DataRow, distinct } from "./columns.ts";
import { formatCell } from "./format-cell.ts";
import {
  type Plot,
  type PlotKind,
  plotChart,
  type SeriesOptions,
  seriesChecks,
  seriesRoles,
} from "./plot.ts";
import { axisChannel, plainColor, seriesChannels, tooltipOf } from "./plot-channels.ts";
import { extremesOf } from "./thinned.ts";

/** How rows are drawn as lines. */
export interface LineOptions<Row> extends SeriesOptions<Row> {
  /** Colour of the marks: `#rrggbb`, or a name of CSS such as `"teal"`. Default: the theme's first one. */
  color?: string;
  /** Whether each row has a dot. Default: with up to 60 rows a series. */
  points?: boolean;
}

const maxDottedRows = 60;
const band = { type: "quantitative" } as const;

const lineKind: PlotKind<LineOptions<DataRow>> = {
  required: ["x", "y"],
  numbers: ["y"],
  optional: seriesRoles,
  checks: { ...seriesChecks, color: colorCheck, points: flag },
  noun: "line chart",
  isSampled: true,
  maxRows: 200_000,
  prepare: extremesOf,
  words: describeLines,
  draw(plot, { points }) {
    const { columns, values, gaps } = plot;
    const channels = seriesChannels(plot, "line");
    const lines = columns.series ? new Set(columns.series.values).size : 1;
    const dots = points ?? values.length / lines <= maxDottedRows;
    const { color, ...rest } = channels;
    const plain = plainColor(plot);
    return {
      data: { values: [...values, ...gaps] },
      encoding: { x: axisChannel("x", columns.x!), ...(color && { color }) },
      layer: [
        ...(columns.low && columns.high
          ? [
              {
                mark: { type: "area", ...plain, opacity: 0.2 },
                encoding: { y: { ...band, field: "low" }, y2: { field: "high" } },
              },
            ]
          : []),
        {
          mark: { type: "line", ...plain, strokeWidth: 2, strokeJoin: "round" },
          encoding: { y: axisChannel("y", columns.y!), ...rest },
        },
        {
          mark: { type: "point", ...plain, filled: true, size: dots ? 36 : 60, opacity: dots ? 1 : 0 },
          encoding: { y: axisChannel("y", columns.y!), tooltip: tooltipOf(plot) },
        },
      ],
    };
  },
};

const maxDescribed = 4;

/** Returns how each line runs, the first four of them. */
function describeLines({ columns: { x, series }, values }: Plot): string {
  const names = series ? distinct(series) : [undefined];
  const described = names.slice(0, maxDescribed).map(name => {
    const points = values
      .filter(row => name === undefined || row.series === name)
      .map(({ x, y }) => ({ x: x!, y: Number(y) }));
    const ordered =
      x!.scale === "category" ? points : points.sort((one, other) => Number(one.x) - Number(other.x));
    const words = describeTrend(
      ordered.map(({ x: at, y }) => ({ x: x!.scale === "time" ? formatCell(x!, at) : at, y })),
    );
    return name === undefined ? words : `${name} ${words}`;
  });
  return described.join("; ");
}

/** Draws rows as a line a series, intervals as a band around it. */
export function lineChart<Row extends DataRow>(
  rows: readonly Row[],
  options: LineOptions<Row>,
): Chart<Partial<LineOptions<Row>>> {
  return plotChart(lineKind as unknown as PlotKind<LineOptions<Row>>, rows, options);
}
