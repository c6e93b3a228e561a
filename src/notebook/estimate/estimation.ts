import type { Chart } from "../../charts/index.ts";
import { KetbookError } from "../../client/index.ts";
import {
  card,
  type Displayable,
  displayable,
  formatCount,
  formatCredits,
  formatNumber,
  formatValue,
  type RenderedView,
  table,
} from "../../display/index.ts";
import { inputColumns, sweepChart, sweptInputs } from "../results/sweep-chart.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import {
  type Assessment,
  type Design,
  type EstimatedTerm,
  type EstimatedValue,
  type EstimateVerdict,
  Z95,
} from "./assess.ts";
import { convergenceChart, extrapolationChart, groupsChart } from "./estimation-charts.ts";
import { total } from "./extrapolate.ts";
import type { KeptPlan } from "./prepare.ts";
import type { EstimatedRound } from "./rounds.ts";

interface EstimationData {
  readonly id: string;
  readonly deviceName: string;
  readonly plan: KeptPlan;
  readonly design: Design;
  readonly rounds: readonly EstimatedRound[];
  /** Undefined where a simulator computed the means. */
  readonly assessment: Assessment | undefined;
}

/** Figures of a mean, which an estimation of only one has, too. */
const FIGURES = ["value", "low", "high", "statistical", "systematic", "raw"] as const;
/** Verdicts, the worst first. */
const VERDICTS: readonly EstimateVerdict[] = [
  "beyond reach",
  "methods disagree",
  "partly bounded",
  "resolved",
];

/**
 * Means of observables with their errors, which show themselves as a card, or over swept inputs as lines with bands. Of several
 * means, `values` has all; `value` and the like are those of the only one, and throw a KetbookError where there are several.
 */
export interface Estimation extends Pick<EstimatedValue, (typeof FIGURES)[number]> {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: figures are defined below
export class Estimation extends DisplayableValue {
  readonly #data: EstimationData;
  /** Name of the estimate: what `estimation(id)` takes. */
  readonly id: string;
  /** Whether a simulator computed the means exactly, without shots, and left nothing of the state out. */
  readonly isExact: boolean;
  /** The means of all observables at all points. */
  readonly values: readonly EstimatedValue[];
  /** Verdict on the estimate; of several values the worst. */
  readonly verdict: EstimateVerdict;
  /** Shots of all rounds. */
  readonly shots: number;
  /** Credits that all rounds cost; null where the service does not say. */
  readonly cost: number | null;
  /** The rounds, each a job. */
  readonly rounds: readonly EstimatedRound[];
  /** Means of each term. Empty if a simulator computed the means. */
  readonly terms: readonly EstimatedTerm[];

  static {
    for (const name of FIGURES)
      Object.defineProperty(Estimation.prototype, name, {
        get(this: Estimation) {
          return this.#only[name];
        },
      });
  }

  /** @internal */
  constructor(data: EstimationData) {
    super();
    const { id, rounds, assessment, plan } = data;
    const costs = rounds.map(({ cost }) => cost ?? Number.NaN);
    this.#data = data;
    this.id = id;
    this.values = rounds.at(-1)!.values;
    this.isExact = plan.isExact && this.values.every(({ shots, low, high }) => shots === 0 && low === high);
    this.verdict = VERDICTS.find(verdict => this.values.some(value => value.verdict === verdict))!;
    this.shots = total(rounds.map(({ shots }) => shots));
    this.cost = Number.isNaN(total(costs)) ? null : Math.round(total(costs) * 1e6) / 1e6;
    this.rounds = rounds;
    this.terms = assessment?.terms ?? [];
  }

  get #only(): EstimatedValue {
    const [only, ...others] = this.values as [EstimatedValue, ...EstimatedValue[]];
    if (others.length === 0) return only;
    throw new KetbookError(`This estimation has ${this.values.length} values. Read .values, or .toRows().`);
  }

  /** Caveats: read these before you trust the values. */
  get notes(): readonly string[] {
    const { plan, rounds, assessment } = this.#data;
    const { within, maxCost } = plan.settings;
    const isAssumed = assessment?.sums.some(({ doubt, statistical }) => doubt > COUNTING_DOUBT * statistical);
    const isWide =
      within !== undefined && this.values.some(({ value, low }) => value - low > within * 1.0001);
    const spent = maxCost === undefined ? formatCount(rounds.length, "rounds") : "the rest of the credits";
    return [
      ...plan.notes,
      isAssumed &&
        "At this number of shots the interval also depends on the part of the device's errors that extrapolation leaves, which is assumed and not measured. In trials it then held the true value in 75% to 100% of the cases, depending on the program, in place of 95%.",
      isWide &&
        `The interval is wider than within(${within}): ${spent} did not suffice, or errors of the device don't allow it.`,
    ].filter(note => typeof note === "string");
  }

  /** The values as plain rows, with the inputs of each. */
  toRows(): { [column: string]: unknown }[] {
    const runs = inputColumns(this.values.map(({ inputs }) => inputs));
    return this.values.map(({ point: program, inputs, ...value }, i) => ({ program, ...runs[i], ...value }));
  }

  /** Everything that is known, as plain data. */
  toJSON(): object {
    const { id, isExact, values, verdict, shots, cost, rounds, terms, notes } = this;
    return { id, isExact, values, verdict, shots, cost, rounds, terms, notes };
  }

  /** Draws the values: over swept inputs with a band, else how the interval narrowed over the rounds. */
  chart(): Chart {
    const inputs = sweptInputs(inputColumns(this.values.map(({ inputs }) => inputs)));
    if (new Set(this.values.map(({ point }) => point)).size < 2) return this.convergence();
    return sweepChart(this.toRows() as never, inputs, {
      value: "value",
      ...(new Set(this.values.map(({ observable }) => observable)).size > 1 && { series: "observable" }),
      title: "Estimated mean",
      subtitle: this.isExact ? "computed, no shots" : formatCount(this.shots, "shots"),
      intervals: this.isExact ? "exact" : "intervals of 95%",
    });
  }

  /** Draws how the values and their intervals changed over the rounds. */
  convergence(): Chart {
    return convergenceChart(this.rounds);
  }

  /** Draws the mean of each term over the noise factors, and what it is extrapolated to. */
  extrapolation(point = 0): Chart {
    return extrapolationChart(this.terms.filter(term => term.point === point && term.means.length > 1));
  }

  /** Draws the groups of terms that are measured together: their shots, and the standard error that these leave. */
  groups(point = 0): Chart {
    const { design, assessment } = this.#data;
    const mean = assessment?.sums.find(sum => sum.point === point);
    if (assessment && mean) return groupsChart(design, mean, assessment);
    throw new KetbookError(`groups(${point}): nothing was measured at that point.`);
  }

  /** The values as a table. */
  table(): Displayable & RenderedView {
    const inputs = [...new Set(this.values.flatMap(value => Object.keys(value.inputs)))];
    return displayable(
      table<EstimatedValue>({
        noun: "values",
        rows: this.values,
        columns: [
          ...inputs.map(name => ({
            label: name,
            value: ({ inputs }: EstimatedValue) => formatValue(inputs[name]),
          })),
          { label: "Observable", value: ({ observable }) => observable },
          ...FIGURES.map(name => ({
            label: name.replace(/^./, first => first.toUpperCase()),
            align: "decimal" as const,
            value: (value: EstimatedValue) => rounded(value[name]),
          })),
          { label: "Verdict", value: ({ verdict }) => verdict },
        ],
        note: this.notes.join(" ") || undefined,
      }),
    );
  }

  /** @internal */
  protected override render() {
    if (new Set(this.values.map(({ point }) => point)).size > 1) return this.chart();
    if (this.values.length > 1) return this.table();
    const { value, low, high, statistical, systematic, raw, rawError, observable } = this.#only;
    const { deviceName, design, plan } = this.#data;
    const { isExact, rounds, shots, cost } = this;
    const measured = {
      "Interval (95%)": `${rounded(low)} to ${rounded(high)}`,
      Statistical: `± ${rounded(statistical)}`,
      Systematic: `± ${rounded(systematic)}`,
      Raw: `${rounded(raw)} ± ${rounded(Z95 * rawError)}`,
      Terms: `${formatNumber(design.terms.strings.length)} in ${formatCount(design.groups.length, "groups")}`,
      Shots: `${formatNumber(shots)} in ${formatCount(rounds.length, "rounds")}`,
    };
    const isApproximate = this.values.some(value => value.shots === 0 && value.low < value.high);
    const how = isApproximate
      ? "state, which is approximate"
      : isExact
        ? "state, without shots"
        : "states of shots";
    return card({
      kind: "estimate",
      title: isExact ? `${Number(value.toPrecision(9))}` : meanText(value, low, high),
      name: observable,
      badge: isApproximate ? "approximate" : isExact ? "exact" : this.verdict,
      facts: Object.entries({
        Device: deviceName,
        ...(plan.isExact ? { Computed: `in the final ${how}` } : measured),
        Cost: cost === null ? "—" : formatCredits(cost),
        Name: this.id,
      }),
      note: this.notes.join(" ") || undefined,
    });
  }
}

/** Part of the statistical error from which on an assumed one matters: in trials the coverage fell from there on. */
const COUNTING_DOUBT = 0.4;

const rounded = (value: number): string => `${formatValue(Number(value.toPrecision(4)))}`;

function meanText(value: number, low: number, high: number): string {
  const half = (high - low) / 2;
  const digits = Math.min(9, Math.max(1, 1 - Math.floor(Math.log10(half || 1))));
  return `${value.toFixed(digits)} ± ${half.toFixed(digits)}`;
}
