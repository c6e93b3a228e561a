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
import { sweepChart } from "../results/sweep-chart.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import type { Assessment, Design, EstimatedTerm, EstimatedValue, EstimateVerdict } from "./assess.ts";
import { convergenceChart, extrapolationChart, groupsChart } from "./estimation-charts.ts";
import type { KeptPlan } from "./prepare.ts";
import type { EstimatedRound } from "./rounds.ts";
import { stringName } from "./terms.ts";

/** Data of an estimation. */
interface EstimationData {
  readonly id: string;
  readonly deviceName: string;
  readonly plan: KeptPlan;
  readonly design: Design;
  readonly rounds: readonly EstimatedRound[];
  /** Undefined where a simulator computed the means. */
  readonly assessment: Assessment | undefined;
}

/**
 * Means of observables with their errors, which show themselves as a card, or over swept inputs as lines with bands. Of several
 * means, `values` has all; `value` and the like are those of the only one.
 */
export class Estimation extends DisplayableValue {
  readonly #data: EstimationData;

  /** @internal */
  constructor(data: EstimationData) {
    super();
    this.#data = data;
  }

  /** Name of the estimate: what `estimation(id)` takes. */
  get id(): string {
    return this.#data.id;
  }

  /** Whether a simulator computed the means exactly, without shots. */
  get isExact(): boolean {
    return this.#data.plan.isExact && this.values.every(({ shots }) => shots === 0);
  }

  /** The means of all observables at all points. */
  get values(): readonly EstimatedValue[] {
    return this.#data.rounds.at(-1)!.values;
  }

  get #only(): EstimatedValue {
    const [only, ...others] = this.values as [EstimatedValue, ...EstimatedValue[]];
    if (others.length === 0) return only;
    throw new KetbookError(`This estimation has ${this.values.length} values. Read .values, or .toRows().`);
  }

  /** The mean. Throws a KetbookError where there are several; then read `values`. */
  get value(): number {
    return this.#only.value;
  }

  /** Lower end of the interval, at 95%. */
  get low(): number {
    return this.#only.low;
  }

  /** Upper end of the interval. */
  get high(): number {
    return this.#only.high;
  }

  /** Part of half the interval that more shots make smaller. */
  get statistical(): number {
    return this.#only.statistical;
  }

  /** The part of half the interval that shots don't make smaller. */
  get systematic(): number {
    return this.#only.systematic;
  }

  /** The mean of the outcomes as they are, errors of the device included. */
  get raw(): number {
    return this.#only.raw;
  }

  /** Verdict on the estimate; of several values the worst. */
  get verdict(): EstimateVerdict {
    const order = ["beyond reach", "methods disagree", "partly bounded"] as const;
    return order.find(verdict => this.values.some(value => value.verdict === verdict)) ?? "resolved";
  }

  /** Shots of all rounds. */
  get shots(): number {
    return this.rounds.reduce((sum, { shots }) => sum + shots, 0);
  }

  /** Credits that all rounds cost; null where the service does not say. */
  get cost(): number | null {
    return this.rounds.reduce<number | null>(
      (sum, { cost }) => (sum === null || cost === null ? null : Math.round((sum + cost) * 1e6) / 1e6),
      0,
    );
  }

  /** The rounds, each a job. */
  get rounds(): readonly EstimatedRound[] {
    return this.#data.rounds;
  }

  /** Means of each term. Empty if a simulator computed the means. */
  get terms(): readonly EstimatedTerm[] {
    const { assessment, design } = this.#data;
    return (assessment?.terms ?? []).map(({ gradient: _, slopes: __, ...mean }) => ({
      ...mean,
      term: stringName(design.terms.strings[mean.term]!),
      means: mean.means.map(({ factor, mean, error }) => ({ factor, mean, error })),
    }));
  }

  /** Caveats: read these before you trust the values. */
  get notes(): readonly string[] {
    const { plan, rounds, assessment } = this.#data;
    const { within, maxCost } = plan.settings;
    const notes = [...plan.notes];
    if (assessment?.sums.some(({ doubt, statistical }) => doubt > COUNTING_DOUBT * statistical))
      notes.push(
        "At this number of shots the interval also depends on the part of the device's errors that extrapolation leaves, which is assumed and not measured. In trials it then held the true value in at least 90% of the cases, in place of 95%.",
      );
    if (within !== undefined && this.values.some(({ value, low }) => value - low > within * 1.0001)) {
      const spent = maxCost === undefined ? formatCount(rounds.length, "rounds") : "the rest of the credits";
      notes.push(
        `The interval is wider than within(${within}): ${spent} did not suffice, or errors of the device don't allow it.`,
      );
    }
    return notes;
  }

  /** The values as plain rows, with the inputs of each. */
  toRows(): { [column: string]: unknown }[] {
    return this.values.map(({ point, inputs, ...value }) => ({ program: point, ...inputs, ...value }));
  }

  /** Everything that is known, as plain data. */
  toJSON(): object {
    const { id, isExact, values, verdict, shots, cost, rounds, terms, notes } = this;
    return { id, isExact, values, verdict, shots, cost, rounds, terms, notes };
  }

  /** Draws the values: over swept inputs with a band, else how the interval narrowed over the rounds. */
  chart(): Chart {
    const names = [...new Set(this.values.flatMap(({ inputs }) => Object.keys(inputs)))];
    const inputs = names.filter(name => new Set(this.values.map(value => value.inputs[name])).size > 1);
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
    if (assessment && mean) return groupsChart(design, mean, assessment.shots);
    throw new KetbookError(`groups(${point}): nothing was measured at that point.`);
  }

  /** The values as a table. */
  table(): Displayable & RenderedView {
    const inputs = [...new Set(this.values.flatMap(value => Object.keys(value.inputs)))];
    const number = (label: string, of: (value: EstimatedValue) => number) => ({
      label,
      align: "decimal" as const,
      value: (value: EstimatedValue) => formatValue(rounded(of(value))),
    });
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
          number("Value", ({ value }) => value),
          number("Low", ({ low }) => low),
          number("High", ({ high }) => high),
          number("Statistical", ({ statistical }) => statistical),
          number("Systematic", ({ systematic }) => systematic),
          number("Raw", ({ raw }) => raw),
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
    const isExact = this.isExact;
    return card({
      kind: "estimate",
      title: isExact ? `${Number(value.toPrecision(9))}` : meanText(value, low, high),
      name: observable,
      badge: isExact ? "exact" : this.verdict,
      facts: [
        ["Device", deviceName],
        ...(plan.isExact
          ? [
              [
                "Computed",
                isExact ? "in the final state, without shots" : "in the final states of shots",
              ] as const,
            ]
          : ([
              ["Interval (95%)", `${formatValue(rounded(low))} to ${formatValue(rounded(high))}`],
              ["Statistical", `± ${formatValue(rounded(statistical))}`],
              ["Systematic", `± ${formatValue(rounded(systematic))}`],
              ["Raw", `${formatValue(rounded(raw))} ± ${formatValue(rounded(1.96 * rawError))}`],
              [
                "Terms",
                `${formatNumber(design.terms.strings.length)} in ${formatCount(design.groups.length, "groups")}`,
              ],
              ["Shots", `${formatNumber(this.shots)} in ${formatCount(this.rounds.length, "rounds")}`],
            ] as const)),
        ["Cost", this.cost === null ? "—" : formatCredits(this.cost)],
        ["Name", this.id],
      ],
      note: this.notes.join(" ") || undefined,
    });
  }
}

/** Part of the statistical error from which on an assumed one matters: in trials the coverage fell from there on. */
const COUNTING_DOUBT = 0.4;

const rounded = (value: number): number => Number(value.toPrecision(4));

/** Writes a mean with half of its interval. */
function meanText(value: number, low: number, high: number): string {
  const half = (high - low) / 2;
  const digits = Math.min(9, Math.max(1, 1 - Math.floor(Math.log10(half || 1))));
  return `${value.toFixed(digits)} ± ${half.toFixed(digits)}`;
}
