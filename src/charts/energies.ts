import { wholeNumber } from "../contract/index.ts";
import { clip, formatNumber, formatPercent, singleLine, table } from "../display/index.ts";
import type { Solution } from "../results/index.ts";
import { barText } from "./bar-text.ts";
import { emptyDrawing, round } from "./channels.ts";
import type { Chart } from "./chart.ts";
import { drawChart } from "./draw-chart.ts";
import { type BarOptions, barOptionChecks } from "./options.ts";
import { neutral, series } from "./roles.ts";
import { linearTicks } from "./rows/plot-channels.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "./vega-lite.ts";

/** What a chart of energies is drawn from. */
export interface EnergiesData {
  solutions: readonly Pick<Solution, "energy" | "occurrences">[];
  title?: string | undefined;
  /** More to say below the title, such as the device and cost. */
  details?: readonly string[] | undefined;
}

/** How energies are drawn. */
export interface EnergyOptions extends BarOptions {
  /** Ranges of energy that share a bar, 256 at most. Default: a bar for each energy where they are few, else about 24. */
  bins?: number;
}

/** How often energies of a range were found; `from` and `to` are equal where the bar stands for one energy. */
interface EnergyBar {
  from: number;
  to: number;
  occurrences: number;
  /** Whether the lowest energy is among them. */
  lowest: boolean;
}

interface Energies {
  bars: EnergyBar[];
  title: string;
  subtitle: string[];
  lowest: number | null;
  options: EnergyOptions;
}

const maxBins = 256;
const defaultBins = 24;
/** The most energies that get a bar each, and the least share of the axis that then lies between two. */
const maxSingle = 32;
const minGap = 1 / 80;
/** Smaller steps are subnormals, of which powers of ten have no digits. */
const minStep = 1e-300;
/** Beyond this differences of energies are no numbers. */
const maxEnergy = 1e150;

/** Draws how often each energy was found, the bar with the lowest one marked. */
export function energies(data: EnergiesData, options: EnergyOptions = {}): Chart<EnergyOptions> {
  return drawChart(
    {
      checks: { ...barOptionChecks, bins: wholeNumber(1) },
      prepare: chosen => prepare(data, chosen),
      describe: ({ title, subtitle }) => `${title}: how often each energy was found. ${subtitle.join(". ")}`,
      ...{ spec: energiesSpec, table: energyTable, text: energiesText },
    },
    options,
  );
}

function prepare({ solutions, title, details = [] }: EnergiesData, options: EnergyOptions): Energies {
  const levels = new Map<number, number>();
  for (const { energy, occurrences } of solutions)
    if (energy !== null && Math.abs(energy) <= maxEnergy)
      levels.set(energy, (levels.get(energy) ?? 0) + occurrences);
  const sorted = [...levels].sort(([a], [b]) => a - b);
  const samples = sorted.reduce((sum, [, occurrences]) => sum + occurrences, 0);
  const [lowest, times] = sorted[0] ?? [null, 0];
  const words = [
    `${formatNumber(solutions.length)} ${solutions.length === 1 ? "solution" : "solutions"}`,
    samples !== solutions.length && `${formatNumber(samples)} samples`,
    lowest !== null && `lowest energy ${formatEnergy(lowest)}, found ${timesText(times)}`,
  ];
  const more = details.slice(0, 8).map(detail => singleLine(detail, 110));
  return {
    bars: barsOf(sorted, options.bins),
    title: singleLine(options.title ?? title ?? "Energies of solutions", 80),
    subtitle: [words.filter(Boolean).join(" · "), ...(more.length > 0 ? [clip(more.join(" · "), 120)] : [])],
    lowest,
    options,
  };
}

const timesText = (times: number) => (times === 1 ? "once" : `${formatNumber(times)} times`);

/** One bar an energy where they are few and apart, else bars of a round width. */
function barsOf(levels: readonly (readonly [number, number])[], bins: number | undefined): EnergyBar[] {
  const [first, last] = [levels[0]?.[0] ?? 0, levels.at(-1)?.[0] ?? 0];
  const range = last - first;
  const apart = levels.every(
    ([energy], index) => index === 0 || energy - levels[index - 1]![0] >= range * minGap,
  );
  if (range === 0 || (bins === undefined && apart && levels.length <= maxSingle))
    return levels.map(([energy, occurrences], index) => {
      return { from: energy, to: energy, occurrences, lowest: index === 0 };
    });
  const step = roundStep(Math.max(range / Math.min(maxBins, bins ?? defaultBins), minStep));
  const start = Math.floor(first / step);
  const bars = new Map<number, EnergyBar>();
  for (const [energy, occurrences] of levels) {
    const index = Math.max(start, Math.floor(energy / step));
    const bar = bars.get(index);
    if (bar) bar.occurrences += occurrences;
    else
      bars.set(index, { from: index * step, to: (index + 1) * step, occurrences, lowest: bars.size === 0 });
  }
  return [...bars.values()];
}

/** Returns the least of 1, 2, 2.5 and 5 times a power of ten that is not below `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 2.5, 5].find(factor => factor * power >= step) ?? 10);
}

function energyTable({ bars, title }: Energies) {
  const samples = bars.reduce((sum, { occurrences }) => sum + occurrences, 0);
  return table<EnergyBar>({
    caption: title,
    rows: bars,
    limit: maxBins,
    noun: "energies",
    columns: [
      { label: "Energy", align: "right", value: energyLabel },
      { label: "Found", align: "right", value: bar => formatNumber(bar.occurrences) },
      { label: "Share", align: "right", value: bar => formatPercent(bar.occurrences / samples) },
    ],
  });
}

function energiesText({ bars, ...energies }: Energies, columns: number): string {
  const most = bars.reduce((largest, { occurrences }) => Math.max(largest, occurrences), 1);
  const drawn = bars.map(bar => ({
    names: [energyLabel(bar)],
    share: bar.occurrences / most,
    numbers: [formatNumber(bar.occurrences), bar.lowest ? "lowest" : ""],
  }));
  return barText({ ...energies, notes: bars.length === 0 ? ["no solutions"] : [] }, drawn, columns);
}

/** Returns an energy with up to six significant digits: `−12.5`, `3.2e-9`. */
export function formatEnergy(energy: number): string {
  const rounded = Number(energy.toPrecision(6));
  const plain = rounded === 0 || (Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e9);
  return (plain ? formatNumber(rounded) : String(rounded)).replace(/^-/, "−");
}

/** Returns an energy, or a range of energies. */
function energyLabel({ from, to }: EnergyBar): string {
  return from === to ? formatEnergy(from) : `${formatEnergy(from)} to ${formatEnergy(to)}`;
}

const barWidth = 18;
const labelledBars = 16;

function energiesSpec(drawn: Energies, description: string): VegaLiteSpec {
  const { bars, title, subtitle, lowest, options } = drawn;
  const width = clampPixels(options.width ?? 480, 120, 2000);
  const rows = bars.map(bar => ({
    energy: energyLabel(bar),
    from: round(bar.from, 12),
    to: round(bar.to, 12),
    found: bar.occurrences,
    kind: bar.lowest ? "lowest" : "other",
    text: formatNumber(bar.occurrences),
  }));
  const single = bars.every(({ from, to }) => from === to);
  const [min, max] = [rows[0]?.from ?? 0, rows.at(-1)?.to ?? 0];
  const pixel = (max - min) / width || 1;
  const margin = single ? pixel * barWidth : pixel * 4;
  const tallest = Math.max(1, ...bars.map(bar => bar.occurrences));
  const x = {
    field: "from",
    type: "quantitative",
    scale: { domain: [min - margin, max + margin], nice: false, zero: false },
    axis: {
      title: "energy",
      titlePadding: 26,
      grid: false,
      ...linearTicks("x", { values: [min, max] }),
    },
  };
  const y = {
    field: "found",
    type: "quantitative",
    scale: { domain: [0, tallest * 1.12], nice: false },
    axis: { title: "times found", tickCount: 5, tickMinStep: 1, format: ",~r" },
  };
  const color = {
    field: "kind",
    type: "nominal",
    scale: { domain: ["other", "lowest"], range: [series[0], series[1]] },
    legend: null,
  };
  const tooltip = [
    { field: "energy", type: "nominal", title: "energy" },
    { field: "text", type: "nominal", title: "times found" },
  ];
  const above = { baseline: "bottom", dy: -4, color: neutral, fontSize: 11 };
  const middle = single ? {} : { transform: [{ calculate: "(datum.from + datum.to) / 2", as: "from" }] };
  const layer = [
    {
      mark: single
        ? { type: "bar", cornerRadiusEnd: 2, width: barWidth }
        : { type: "rect", stroke: "rgba(255,255,255,0.7)", strokeWidth: 0.5 },
      encoding: { x, ...(!single && { x2: { field: "to" }, y2: { datum: 0 } }), y, color, tooltip },
    },
    ...(bars.length <= labelledBars
      ? [
          {
            ...middle,
            mark: { type: "text", ...above },
            encoding: { x, y, text: { field: "text", type: "nominal" } },
          },
        ]
      : []),
    {
      data: { values: [{ from: lowest, text: `▲ lowest: ${formatEnergy(lowest ?? 0)}` }] },
      mark: { type: "text", ...above, baseline: "top", dy: 22, align: "left", dx: -4 },
      encoding: { x, y: { value: { expr: "height" } }, text: { field: "text", type: "nominal" } },
    },
  ];
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height: clampPixels(options.height ?? 200, 80, 1200),
    ...(bars.length > 0 ? { data: { values: rows }, layer } : emptyDrawing("no solutions")),
  });
}
