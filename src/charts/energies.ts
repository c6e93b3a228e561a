import { wholeNumber } from "../contract/options.ts";
import { formatNumber, formatPercent } from "../display/format.ts";
import { blocks } from "../display/meter.ts";
import { table } from "../display/table.ts";
import { clip, pad, singleLine } from "../display/text.ts";
import type { Solution } from "../results/index.ts";
import { type BarOptions, barOptionChecks } from "./bar-options.ts";
import type { Chart } from "./chart.ts";
import { drawChart } from "./draw-chart.ts";
import { energiesSpec } from "./energies-spec.ts";
import { energyLabel, formatEnergy } from "./energy-label.ts";

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
export interface EnergyBar {
  from: number;
  to: number;
  occurrences: number;
  /** Whether the lowest energy is among them. */
  lowest: boolean;
}

/** Energies, grouped to bars, before they are drawn in one way or another. */
export interface Energies {
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

function energiesText({ bars, title, subtitle }: Energies, columns: number): string {
  const width = Math.max(24, Math.floor(columns));
  const heads = [title, ...subtitle];
  if (bars.length === 0) heads.push("  no solutions");
  const labels = bars.map(energyLabel);
  const numbers = bars.map(bar => formatNumber(bar.occurrences));
  const [label = 0, number = 0] = [labels, numbers].map(texts =>
    Math.max(0, ...texts.map(text => text.length)),
  );
  const max = bars.reduce((largest, { occurrences }) => Math.max(largest, occurrences), 0) || 1;
  const room = Math.min(48, Math.max(8, width - label - number - 15));
  const lines = bars.map(({ occurrences, lowest }, index) => {
    const bar = pad(blocks(occurrences / max, room), room);
    const cells = [pad(labels[index]!, label, "right"), bar, pad(numbers[index]!, number, "right")];
    return `  ${[...cells, ...(lowest ? ["lowest"] : [])].join("  ")}`;
  });
  return [...heads, ...lines].map(line => clip(line, width)).join("\n");
}
