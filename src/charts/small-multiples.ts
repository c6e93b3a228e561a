import { wholeNumber } from "../contract/index.ts";
import {
  approximation,
  clip,
  code,
  dotted,
  formatInterval,
  formatNumber,
  formatPercent,
  numbers,
  pad,
  singleLine,
  table,
} from "../display/index.ts";
import {
  type Accuracy,
  compareOutcomes,
  type Distribution,
  intervalLabel,
  intervalWords,
  isExactly,
  likeliestOutcomes,
  outcomesOf,
  probabilitiesOf,
  shareOf,
  topOutcomes,
  widthOf,
} from "../results/index.ts";
import { emptyDrawing } from "./channels.ts";
import { type Chart, drawChart } from "./chart.ts";
import { panelGrid } from "./compose/facet.ts";
import { histogram, outcomesLine } from "./histogram.ts";
import { type SizedOptions, sizedChecks } from "./options.ts";
import { labeller } from "./outcome-label.ts";

export interface NamedDistribution extends Accuracy {
  name: string;
  values: Distribution;
}

/** Options of the histograms of a batch; the width and height are those of one of them. */
export interface SmallMultiplesOptions extends SizedOptions {
  /** Outcomes of each histogram: the likeliest of all results together. Default: 8, at most 32. */
  top?: number;
  /** Remarks below the title. */
  subtitle?: readonly string[];
}

interface Panel extends NamedDistribution {
  outcomes: string[];
  words: string;
}

const maxPanels = 12;
const [defaultTop, maxTop] = [8, 32];
const maxAcross = 3;

const checks = {
  ...sizedChecks,
  top: wholeNumber(1),
  subtitle: (value: unknown) => (Array.isArray(value) ? undefined : "a list of strings"),
};

/** Draws the histograms of the first twelve results on one scale, the same outcomes in the same places. */
export const smallMultiples = (
  results: readonly NamedDistribution[],
  options: SmallMultiplesOptions = {},
): Chart<SmallMultiplesOptions> =>
  drawChart(checks, options, chosen => {
    const panels = panelsOf(results, Math.min(maxTop, chosen.top ?? defaultTop));
    const exact = panels.every(isExactly);
    const remarks = dotted(
      results.length > panels.length && `the first ${panels.length} are drawn`,
      exact ? "exact" : intervalWords,
      approximation(...panels.map(({ fidelity }) => fidelity)),
    );
    const title = singleLine(chosen.title ?? "Measurement outcomes", 80);
    const words = panels.map(({ name, words }) => `${name}: ${words}`).join("; ");
    return {
      title,
      subtitle: [...(chosen.subtitle ?? []), remarks].map(words => singleLine(words, 120)),
      description: clip(`${title}: ${words}. Histograms side by side.`, 1000),
      spec: panelsSpec(panels, chosen),
      table: () => {
        const rows = panels.flatMap(({ name, values, outcomes, ...accuracy }) => {
          const part = outcomes.length / Math.max(outcomes.length, outcomesOf(values).length);
          return outcomes.map(outcome => ({
            ...{ name, outcome, ...shareOf(values, outcome, { ...accuracy, chosen: part }) },
          }));
        });
        return table<(typeof rows)[number]>({
          caption: title,
          rows,
          limit: maxPanels * maxTop,
          noun: "outcomes",
          columns: [
            { label: "Result", value: row => row.name },
            { label: "Outcome", value: row => code(singleLine(row.outcome, 4096)) },
            numbers("Probability", row => formatPercent(row.probability)),
            !exact && numbers(intervalLabel, formatInterval),
          ],
        });
      },
      text: () => {
        const names = Math.min(24, Math.max(0, ...panels.map(({ name }) => name.length)));
        return panels.map(({ name, words }) => `  ${pad(clip(name, names), names)}  ${words}`);
      },
    };
  });

function panelsOf(results: readonly NamedDistribution[], top: number): Panel[] {
  const shown = results.slice(0, maxPanels);
  const widths = new Set(shown.flatMap(({ values }) => outcomesOf(values).slice(0, 1).map(widthOf)));
  const all = shown.map(({ values }) => values);
  const common = widths.size < 2 ? likeliestOutcomes(all, top).sort(compareOutcomes) : undefined;
  const nameOf = labeller("raw", "", 40);
  return shown.map(result => {
    const found = topOutcomes(result.values, maxTop);
    const only = found.outcomes === 1 && singleLine(found.top[0]!.outcome, 40);
    const own = found.top.slice(0, top).map(({ outcome }) => outcome);
    return {
      ...result,
      name: nameOf(result.name),
      words: only ? `${only}, always` : outcomesLine(probabilitiesOf(result.values), true),
      outcomes: common ?? own.sort(compareOutcomes),
    };
  });
}

function panelsSpec(panels: readonly Panel[], options: SmallMultiplesOptions) {
  if (panels.every(({ outcomes }) => outcomes.length === 0)) return emptyDrawing("no outcomes");
  const [width, height] = [options.width ?? 200, options.height ?? 110];
  const columns = panels.length === 4 ? 2 : maxAcross;
  const isShared = new Set(panels.map(({ outcomes }) => outcomes.join())).size === 1;
  const charts = panels.map(({ values, outcomes, exact, fidelity }) =>
    histogram(
      { [exact ? "probabilities" : "counts"]: values, shots: 0, fidelity, drawn: outcomes },
      { as: "probabilities", width, height },
    ),
  );
  const ends = charts.map(({ bareSpec }) => Number(Object(bareSpec.encoding).y?.scale.domain[1] ?? 0));
  const grid = panelGrid(charts, { columns }, isShared ? ["x", "y"] : ["y"], (panel, index) => {
    panel.title = { text: panels[index]!.name };
    if (!panel.encoding?.x) return;
    const { x, y } = panel.encoding;
    x.axis.title = null;
    y.scale.domain = [0, Math.max(...ends)];
    y.axis.tickCount = 3;
  });
  return grid.source.spec;
}

export const programName = (index: number) => `Program ${formatNumber(index)}`;
