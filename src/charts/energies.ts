import { wholeNumber } from "../contract/index.ts";
import { dotted, formatCount, formatNumber, singleLine } from "../display/index.ts";
import type { Solution } from "../results/index.ts";
import { niceNumber } from "./channels.ts";
import { type Chart, drawChart } from "./chart.ts";
import { type SizedOptions, sizedChecks } from "./options.ts";
import { detailLines } from "./outcome-label.ts";
import { type Bin, binFigure } from "./rows/bins.ts";

export interface EnergiesData {
  solutions: readonly Pick<Solution, "energy" | "occurrences">[];
  title?: string | undefined;
  /** More to say below the title, such as the device and cost. */
  details?: readonly string[] | undefined;
}

/** Options of energies. */
export interface EnergyOptions extends SizedOptions {
  /** Ranges of energy that share a bar, 256 at most. Default: a bar for each energy where they are few, else about 24. */
  bins?: number;
}

const maxBins = 256;
const defaultBins = 24;
/** The most energies that get a bar each, and the least share of the axis that then lies between two. */
const maxSingle = 32;
const minGap = 1 / 80;
/** Smaller steps are subnormals, of which powers of ten have no digits. */
const minStep = 1e-300;
/** Limit of energies, beyond which their differences would not be finite. */
const maxEnergy = 1e150;

/** Draws how often each energy was found, the bar with the lowest one marked. */
export const energies = (data: EnergiesData, options: EnergyOptions = {}): Chart<EnergyOptions> =>
  drawChart({ ...sizedChecks, bins: wholeNumber(1) }, options, chosen => {
    const { solutions } = data;
    const levels = new Map<number, number>();
    for (const { energy, occurrences } of solutions)
      if (energy !== null && Math.abs(energy) <= maxEnergy)
        levels.set(energy, (levels.get(energy) ?? 0) + occurrences);
    const sorted = [...levels].sort(([a], [b]) => a - b);
    const samples = sorted.reduce((sum, [, occurrences]) => sum + occurrences, 0);
    const [lowest, times] = sorted[0] ?? [null, 0];
    const words = dotted(
      formatCount(solutions.length, "solutions"),
      samples !== solutions.length && `${formatNumber(samples)} samples`,
      lowest !== null && `lowest energy ${formatEnergy(lowest)}, found ${timesText(times)}`,
    );
    const title = singleLine(chosen.title ?? data.title ?? "Energies of solutions", 80);
    const subtitle = [words, ...detailLines(data.details)];
    const binned = {
      ...{ title, subtitle, bins: binsOf(sorted, chosen.bins), format: formatEnergy },
      description: `${title}: how often each energy was found. ${subtitle.join(". ")}`,
      ...{ x: "energy", y: "times found", nothing: "no solutions" },
      first: lowest === null ? undefined : { name: "lowest", value: lowest },
    };
    return binFigure(binned, chosen);
  });

const timesText = (times: number) => (times === 1 ? "once" : `${formatNumber(times)} times`);

/** One bar an energy where they are few and apart, else bars of a round width. */
function binsOf(levels: readonly (readonly [number, number])[], bins: number | undefined): Bin[] {
  const [first, last] = [levels[0]?.[0] ?? 0, levels.at(-1)?.[0] ?? 0];
  const range = last - first;
  const apart = levels.every(
    ([energy], index) => index === 0 || energy - levels[index - 1]![0] >= range * minGap,
  );
  if (range === 0 || (bins === undefined && apart && levels.length <= maxSingle))
    return levels.map(([energy, found]) => ({ from: energy, to: energy, found }));
  const least = Math.max(range / Math.min(maxBins, bins ?? defaultBins), minStep);
  const step = niceNumber(least, 1, [1, 2, 2.5, 5]);
  const start = Math.floor(first / step);
  const found = new Map<number, Bin>();
  for (const [energy, occurrences] of levels) {
    const index = Math.max(start, Math.floor(energy / step));
    const bin = found.get(index) ?? { from: index * step, to: (index + 1) * step, found: 0 };
    bin.found += occurrences;
    found.set(index, bin);
  }
  return [...found.values()];
}

/** Returns an energy with up to six significant digits: `−12.5`, `3.2e-9`. */
export function formatEnergy(energy: number): string {
  const rounded = Number(energy.toPrecision(6));
  const plain = rounded === 0 || (Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e9);
  return (plain ? formatNumber(rounded) : String(rounded)).replace(/^-/, "−");
}
