import { checkOptions, text } from "../contract/options.ts";
import { formatCount } from "../display/format.ts";
import { clip, pad, plain } from "../display/text.ts";
import { Chart } from "./chart.ts";
import { heatmapSpec } from "./heatmap-spec.ts";
import { maxPanels, twoNumbers } from "./line.ts";
import { checkRows, nameOf, numberIn, type Rows, rowsTable, valuesOf } from "./rows.ts";
import { type BarOptions, barOptionChecks } from "./theme.ts";

/** How a heatmap is drawn. */
export interface HeatmapOptions extends BarOptions {
  /** The column from left to right. */
  x: string;
  /** The column from below to above. */
  y: string;
  /** The column of numbers that are shown as colours. */
  color: string;
  /** The column that tells small multiples apart; at most twelve are drawn. */
  panel?: string;
  /** Remarks below the title. */
  subtitle?: readonly string[];
  /** Values at the ends of the colours. Default: the least and the largest value. */
  domain?: readonly [number, number];
}

/** A cell: the mean of its rows. */
export interface HeatCell {
  x: string;
  y: string;
  panel: string;
  value: number;
}

/** A heatmap computed, before it is drawn in one way or another. */
export interface Heatmap {
  cells: HeatCell[];
  /** Names from left to right, and from below to above. */
  across: string[];
  upwards: string[];
  panels: string[];
  domain: readonly [number, number];
  title: string;
  subtitle: string[];
  options: HeatmapOptions;
}

const maxSide = 200;

const checks = {
  ...barOptionChecks,
  x: text,
  y: text,
  color: text,
  panel: text,
  subtitle: (value: unknown) => (Array.isArray(value) ? undefined : "a list of strings"),
  domain: twoNumbers,
};

/**
 * Draws a column of numbers over two others as coloured cells; rows of one cell are averaged.
 * Throws a `RangeError` for columns that are not there, for too many rows, and for other options.
 */
export function heatmap(rows: Rows, options: HeatmapOptions): Chart<Partial<HeatmapOptions>> {
  checkOptions(options, checks);
  const { x, y, color, panel } = options;
  checkRows(rows, [x, y, color, panel]);
  const drawn = makeHeatmap(rows, options);
  const description = describe(drawn);
  const columns = [panel, x, y, color].filter(column => column !== undefined);
  return new Chart({
    title: drawn.title,
    description,
    spec: heatmapSpec(drawn, description),
    table: () => rowsTable(rows, columns, drawn.title),
    text: width => heatmapText(drawn, width),
    again: changed => heatmap(rows, { ...options, ...changed }),
  });
}

function makeHeatmap(rows: Rows, options: HeatmapOptions): Heatmap {
  const { x, y, color, panel } = options;
  const known = rows.filter(row => numberIn(row, color) !== null);
  const [across, upwards] = [valuesOf(known, x).map(nameOf), valuesOf(known, y).map(nameOf)];
  for (const [names, column] of [
    [across, x],
    [upwards, y],
  ] as const)
    if (names.length > maxSide)
      throw new RangeError(
        `${names.length} values of ${column} are more than the ${maxSide} cells of a side: round them.`,
      );
  const allPanels = panel === undefined ? [""] : valuesOf(known, panel).map(nameOf);
  const sums = new Map<string, HeatCell & { rows: number }>();
  for (const row of known) {
    const place = {
      x: nameOf(row[x]),
      y: nameOf(row[y]),
      panel: panel === undefined ? "" : nameOf(row[panel]),
    };
    const key = JSON.stringify(place);
    const cell = sums.get(key) ?? { ...place, value: 0, rows: 0 };
    cell.value += row[color] as number;
    cell.rows++;
    sums.set(key, cell);
  }
  const panels = allPanels.slice(0, maxPanels);
  const cells = Array.from(sums.values(), ({ rows, value, ...place }) => ({ ...place, value: value / rows }));
  const values = cells.map(({ value }) => value);
  const left = allPanels.length - panels.length;
  const averaged = cells.length < known.length ? ["mean of the rows of each cell"] : [];
  return {
    cells: cells.filter(cell => panels.includes(cell.panel)),
    across: [...new Set(across)],
    upwards: [...new Set(upwards)],
    panels,
    domain: options.domain ?? [Math.min(...values, Infinity), Math.max(...values, -Infinity)],
    title: plain(options.title ?? `${color} over ${x} and ${y}`, 80),
    subtitle: [
      ...(options.subtitle ?? []),
      ...averaged,
      ...(left > 0 ? [`${formatCount(left, "more panels")} not drawn`] : []),
    ].map(words => plain(words, 120)),
    options,
  };
}

function describe({ cells, title, across, upwards, options }: Heatmap): string {
  const { x, y, color } = options;
  const sorted = cells.toSorted((a, b) => a.value - b.value);
  const at = (cell: HeatCell) =>
    `${nameOf(cell.value)} at ${x} ${cell.x}, ${y} ${cell.y}${cell.panel && `, ${cell.panel}`}`;
  const ends = sorted.length > 0 ? `lowest ${at(sorted[0]!)}, highest ${at(sorted.at(-1)!)}` : "no cells";
  return `${title}: ${ends}. Heatmap of ${color}, ${across.length} × ${upwards.length} cells.`;
}

const shades = " ░▒▓█";

/** Draws a heatmap in five shades, the largest values darkest. */
function heatmapText(
  { cells, across, upwards, panels, domain, title, subtitle, options }: Heatmap,
  columns: number,
): string {
  const width = Math.max(30, Math.floor(columns));
  const label = Math.min(12, Math.max(0, ...upwards.map(({ length }) => length)));
  const wide = Math.max(1, Math.min(3, Math.floor((width - label - 4) / Math.max(1, across.length))));
  const known = new Map(cells.map(cell => [JSON.stringify([cell.panel, cell.x, cell.y]), cell.value]));
  const [least, most] = domain;
  const shade = (value: number | undefined) =>
    value === undefined
      ? "·"
      : shades[Math.round(Math.min(1, Math.max(0, (value - least) / (most - least || 1))) * 4)]!;
  const drawn = panels.flatMap(panel => [
    ...(panel ? [`  ${clip(panel, width - 2)}`] : []),
    ...upwards.toReversed().map(y => {
      const marks = across.map(x => shade(known.get(JSON.stringify([panel, x, y]))).repeat(wide)).join("");
      return clip(`  ${pad(clip(y, label), label)}  ${marks}`, width);
    }),
  ]);
  const scale = `  ${options.x} → ${across[0] ?? ""} … ${across.at(-1) ?? ""}   █ ${nameOf(most)}`;
  const body = cells.length > 0 ? [...drawn, scale] : ["  no cells"];
  return [...[title, ...subtitle].map(words => clip(words, width)), ...body]
    .map(words => clip(words, width))
    .join("\n");
}
